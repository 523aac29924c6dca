package io.hyperverbs.lab.dsm.perf;

import io.hyperverbs.upper.dsm.Dsm;
import io.hyperverbs.upper.dsm.options.DataTransfer;
import io.hyperverbs.upper.dsm.options.DsmOptions;
import io.hyperverbs.upper.dsm.options.HandlingContext;
import io.hyperverbs.upper.job.JobPlace;
import io.hyperverbs.verbs.ProgramExit;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/**
 * Program {@code dsm-perf}, three nodes: round trips of a lock in each handling context (Liss 2003 table 1), read faults
 * by size and by how the data goes, and what the check before each access costs. {@code dsm-perf lines locks|faults} prints
 * a {@link DsmLine} for each.
 */
public final class DsmPerf {
    private static final int USAGE = 2;
    private static final long MEMORY_BYTES = 8L << 20;
    private static final int[] MINIPAGE_BYTES = {8, 1024, 4096, 65536};
    private static final int[] LINE_BYTES = {4096, 65536};

    private final boolean prints = JobPlace.current().rank() == 0;
    private final DsmOptions standard = DsmOptions.standard().withMemory(MEMORY_BYTES);

    private DsmPerf() {}

    public static void main(String[] args) {
        if (JobPlace.current().ranks() != FaultTimes.NODES) {
            System.err.println("dsm-perf: needs " + FaultTimes.NODES + " nodes: hv mpirun -n 3 dsm-perf");
            throw new ProgramExit(USAGE);
        }
        DsmPerf perf = new DsmPerf();
        switch (String.join(" ", args)) {
            case "" -> {
                perf.locks();
                perf.faults();
                perf.checks();
            }
            case "lines locks" -> perf.lockLines();
            case "lines faults" -> perf.faultLines();
            default -> {
                System.err.println("dsm-perf: usage: dsm-perf [lines locks|faults]");
                throw new ProgramExit(USAGE);
            }
        }
    }

    private void lockLines() {
        InTurns turns = new InTurns();
        for (HandlingContext context : HandlingContext.values()) {
            turns.add(() -> new FaultTimes(standard.withHandling(context, false)).lockMicros());
        }
        Iterator<Double> found = turns.once().iterator();
        for (HandlingContext context : HandlingContext.values()) {
            print(new DsmLine(DsmLine.LOCK, word(context), 0, found.next()).text());
        }
    }

    private static String word(HandlingContext context) {
        return context.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private void faultLines() {
        // Code that all sizes share is compiled meanwhile.
        List<Double> _ = faults(LINE_BYTES[0]).once();
        for (int bytes : LINE_BYTES) {
            Iterator<Double> found = faults(bytes).once().iterator();
            print(new DsmLine(DsmLine.OWNER_FAULT, "write", bytes, found.next()).text());
            print(new DsmLine(DsmLine.OWNER_FAULT, "send", bytes, found.next()).text());
            print(new DsmLine(DsmLine.SHARED_FAULT, "write", bytes, found.next()).text());
            print(new DsmLine(DsmLine.SHARED_FAULT, "read", bytes, found.next()).text());
            print(new DsmLine(DsmLine.SHARED_FAULT, "send", bytes, found.next()).text());
        }
    }

    private void locks() {
        InTurns turns = new InTurns();
        for (HandlingContext context : HandlingContext.values()) {
            turns.add(() -> new FaultTimes(standard.withHandling(context, false)).lockMicros());
            turns.add(() -> new FaultTimes(standard.withHandling(context, true)).lockMicros());
        }
        print(row("lock, us", List.of("waits asleep", "waits polling")));
        Iterator<String> found = turns.measure().iterator();
        for (HandlingContext context : HandlingContext.values()) {
            print(row(word(context), List.of(found.next(), found.next())));
        }
    }

    private void faults() {
        print(row(
                "read fault, us",
                List.of("owner: write", "owner: send", "shared: write", "shared: read", "shared: send")));
        for (int bytes : MINIPAGE_BYTES) {
            print(row(bytes + " bytes", faults(bytes).measure()));
        }
    }

    private InTurns faults(int bytes) {
        return new InTurns()
                .add(() -> fault(bytes, DataTransfer.RDMA_WRITE, false, false))
                .add(() -> fault(bytes, DataTransfer.SEND, false, false))
                .add(() -> fault(bytes, DataTransfer.RDMA_WRITE, false, true))
                .add(() -> fault(bytes, DataTransfer.RDMA_WRITE, true, true))
                .add(() -> fault(bytes, DataTransfer.SEND, false, true));
    }

    private double fault(int bytes, DataTransfer transfer, boolean readersFetch, boolean isShared) {
        return new FaultTimes(standard.withTransfer(transfer, readersFetch)).readFaultMicros(bytes, isShared);
    }

    private static String row(String name, List<String> cells) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-14s", name));
        cells.forEach(cell -> line.append(String.format(Locale.ROOT, " %24s", cell)));
        return line.toString();
    }

    private void checks() {
        try (Dsm dsm = Dsm.join(standard)) {
            CheckTimes times = new CheckTimes(dsm);
            if (dsm.node() == 0) {
                CheckTimes.Times found = times.measure();
                print(String.format(
                        Locale.ROOT,
                        "access: load %.2f ns (plain array %.2f), store %.2f ns (plain %.2f), bulk load %.2f ns",
                        found.load(),
                        found.plainLoad(),
                        found.store(),
                        found.plainStore(),
                        found.bulkLoad()));
            }
            dsm.barrier();
        }
    }

    private void print(String line) {
        if (prints) {
            System.out.println(line);
        }
    }
}
