package io.hyperverbs.lab.run.suite;

import java.util.Comparator;
import java.util.List;

/** The claims of Liu 2006 that can be asked of this system, and how they are judged. */
public final class Claims {
    private static final double ANY = Double.POSITIVE_INFINITY;

    /** "Virtually no difference" is taken as a tenth: a round's medians move by half of that. */
    public static final List<Claim> ALL = List.of(
            new Claim(
                    "A guest's RDMA write takes as long as a native one",
                    "§6.2, Figure 9",
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
                    "§6.2, Figure 10",
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
                    "§6.2, Figure 11",
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
                    "§6.2, Figure 12",
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
                    "§3, §4.3",
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
                    "§6.3, Figure 14",
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
                    "§6.3, Figure 14",
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
                    "§6.4, Figure 15",
                    "1.25 to 1.35",
                    "registration",
                    "reg_mr",
                    1 << 20,
                    "bypass",
                    "native",
                    0,
                    1.35));

    private Claims() {}

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
