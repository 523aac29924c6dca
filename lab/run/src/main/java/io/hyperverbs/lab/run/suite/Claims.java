package io.hyperverbs.lab.run.suite;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The claims of the papers that can be asked of this system, and how they are judged. */
public final class Claims {
    private static final double ANY = Double.POSITIVE_INFINITY;

    /** "Virtually no difference" is taken as a tenth: a round's medians move by half of that. */
    private static final List<Claim> OF_VERBS = List.of(
            new Claim(
                    "A guest's RDMA write takes as long as a native one",
                    "Liu 2006 §6.2, Figure 9",
                    "1.00 (4.2 μs both)",
                    "latency",
                    "write",
                    64,
                    "bypass",
                    "native",
                    0,
                    1.10),
            new Claim(
                    "A guest's send takes as long as a native one",
                    "Liu 2006 §6.2, Figure 10",
                    "1.00 (6.6 μs both)",
                    "latency",
                    "send",
                    64,
                    "bypass",
                    "native",
                    0,
                    1.10),
            new Claim(
                    "A guest has the native bandwidth of RDMA writes",
                    "Liu 2006 §6.2, Figure 11",
                    "1.00 (880 MB/s both)",
                    "bandwidth",
                    "write",
                    65536,
                    "bypass",
                    "native",
                    0.90,
                    ANY),
            new Claim(
                    "A guest has the native bandwidth of sends",
                    "Liu 2006 §6.2, Figure 12",
                    "1.00 (880 MB/s both)",
                    "bandwidth",
                    "send",
                    65536,
                    "bypass",
                    "native",
                    0.90,
                    ANY),
            new Claim(
                    "Without the bypass, a write takes several times as long",
                    "Liu 2006 §3, §4.3",
                    "none given",
                    "latency",
                    "write",
                    64,
                    "forwarded",
                    "bypass",
                    2,
                    ANY),
            new Claim(
                    "An event that the device domain brings takes longer than a native one",
                    "Liu 2006 §6.3, Figure 14",
                    "+3 μs at 1 byte, +18 to 20 μs at large sizes",
                    "events",
                    "send/recv",
                    0,
                    "forwarded",
                    "native",
                    1.10,
                    ANY),
            new Claim(
                    "A guest that sleeps for small messages waits little longer than a native program",
                    "Liu 2006 §6.3, Figure 14",
                    "+3 μs at 1 byte, +18 to 20 μs at large sizes",
                    "blocking",
                    "send",
                    8,
                    "bypass",
                    "native",
                    0,
                    1.25),
            new Claim(
                    "A guest's registration costs a quarter to a third more than a native one",
                    "Liu 2006 §6.4, Figure 15",
                    "1.25 to 1.35",
                    "registration",
                    "reg_mr",
                    1 << 20,
                    "bypass",
                    "native",
                    0,
                    1.35));

    private static final List<Claim> OF_IP_AND_MPI = List.of(
            new Claim(
                    "IP over InfiniBand of a guest reaches more than 90 % of native for long writes",
                    "Liu 2006 §6.5, Figure 16",
                    "above 0.90",
                    "ip-connected",
                    "stream",
                    65536,
                    "bypass",
                    "native",
                    0.90,
                    ANY),
            new Claim(
                    "MPI of a guest has the native latency",
                    "Liu 2006 §6.6, Figure 18",
                    "1.00",
                    "mpi-latency",
                    "MPI",
                    8,
                    "bypass",
                    "native",
                    0,
                    1.10),
            new Claim(
                    "MPI of a guest has the native bandwidth",
                    "Liu 2006 §6.6, Figure 19",
                    "1.00",
                    "mpi-bandwidth",
                    "MPI",
                    1 << 20,
                    "bypass",
                    "native",
                    0.90,
                    ANY),
            kernel("EP"),
            kernel("IS"),
            kernel("CG"),
            kernel("MG"),
            kernel("FT"));

    private static final List<Claim> OF_SHARED_MEMORY = List.of(
            handling(
                    "At an interrupt, messages are handled later than by polling",
                    "event",
                    "polling",
                    "1.33 (60 / 45 μs)"),
            handling("In a task queue, later than at an interrupt", "task queue", "event", "1.17 (70 / 60 μs)"),
            handling("In a process, later than in a task queue", "process", "task queue", "1.29 (90 / 70 μs)"),
            new Claim(
                    "Data by RDMA write saves the copies of messages",
                    "Liss 2003 §4",
                    "up to 15 % of an application, of another system",
                    "dsm-transfer",
                    "read fault, owner",
                    65536,
                    "send",
                    "write",
                    1.10,
                    ANY),
            new Claim(
                    "Read faults by RDMA read take a little longer than by RDMA write",
                    "Liss 2003 §5.1",
                    "1.02 to 1.03",
                    "dsm-transfer",
                    "read fault, shared",
                    65536,
                    "read",
                    "write",
                    1.00,
                    1.13));

    /** All of them, paper by paper. */
    public static final List<Claim> ALL = Stream.of(OF_VERBS, OF_IP_AND_MPI, OF_SHARED_MEMORY)
            .flatMap(List::stream)
            .toList();

    private Claims() {}

    private static Claim kernel(String name) {
        return new Claim(
                "NAS " + name + " takes native time in guests",
                "Liu 2006 §6.6, Figure 20",
                "within a few per cent, class A",
                "nas",
                name,
                0,
                "bypass",
                "native",
                0,
                1.10);
    }

    /** The order alone is claimed: how long an interrupt takes is the computer's. */
    private static Claim handling(String text, String series, String over, String paper) {
        return new Claim(text, "Liss 2003 §5.1, Table 1", paper, "dsm-handling", "bypass", 0, series, over, 1.00, ANY);
    }

    /** Verdicts on all of them; those whose figure was not measured are no result. */
    public static List<ClaimVerdict> judge(List<FigureData> figures) {
        return ALL.stream().map(claim -> judge(claim, figures)).toList();
    }

    static ClaimVerdict judge(Claim claim, List<FigureData> figures) {
        return figures.stream()
                .filter(figure -> figure.info().name().equals(claim.figure()))
                .findFirst()
                .flatMap(figure -> figure.cells().stream()
                        .filter(cell -> cell.what().equals(claim.what()))
                        .min(Comparator.comparingLong(cell -> Math.abs(cell.x() - claim.x())))
                        .flatMap(cell -> figure.ratio(cell, claim.series(), claim.over())))
                .map(ratio -> ClaimVerdict.of(claim, ratio))
                .orElseGet(() -> ClaimVerdict.notMeasured(claim));
    }
}
