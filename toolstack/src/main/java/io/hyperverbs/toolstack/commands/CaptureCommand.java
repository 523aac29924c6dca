package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.capture.CaptureRun;
import io.hyperverbs.launcher.capture.CaptureRun.Summary;
import io.hyperverbs.launcher.capture.CaptureRun.Target;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.topology.Units;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.domain.MachineException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hv capture}. */
@Command(
        name = "capture",
        description = {
            "Writes what passes the HCAs of a running machine to a file for Wireshark (pcapng): packets as they leave"
                + " and reach each port, those that a link lost marked by a comment, and control verbs on an interface"
                + " of their own; all by one clock.",
            "Ends after -c packets, after --duration, by Ctrl-C, or when the machine ends; the file is whole then, and"
                    + " can be read before. The file shows what guests exchange, and is made for you alone (0600)."
        },
        footer = {
            "  hv capture -w ping.pcapng",
            "  hv capture -i hv0/1 -c 100 -w ping.pcapng",
            "  hv capture -w - | tshark -r -",
            "",
            "exit codes: 0 after -c, --duration or the end of the machine, 2 usage, 4 no such machine or interface,",
            "5 somebody captures that HCA, 130 Ctrl-C."
        })
public final class CaptureCommand extends HvCommand {
    private static final String STANDARD_OUTPUT = "-";
    private static final int MIN_SNAP_BYTES = 64;
    private static final int MAX_SNAP_BYTES = 262_144;
    private static final long MIN_BUFFER_BYTES = 64 << 10;
    private static final long MAX_BUFFER_BYTES = 1 << 30;
    private static final int END_SECONDS = 5;

    @Option(
            names = {"-i", "--interface"},
            paramLabel = "PORT",
            split = ",",
            description = "hv0/1, or hv0 for all ports of an HCA; several times, or with commas (default: all).")
    List<String> interfaces = List.of();

    @Option(
            names = {"-c", "--count"},
            paramLabel = "N",
            description = "End after N packets; control verbs do not count.")
    long count = Long.MAX_VALUE;

    @Option(names = "--duration", paramLabel = "TIME", description = "End after that time, such as 10s.")
    @Nullable
    Duration duration;

    @Option(
            names = {"-w", "--write"},
            paramLabel = "FILE",
            required = true,
            description = "Where to; - is standard output.")
    String file = "";

    @Option(
            names = {"-s", "--snaplen"},
            paramLabel = "BYTES",
            description = "Take so many bytes of a packet at most (default: all).")
    int snapBytes = MAX_SNAP_BYTES;

    @Option(
            names = {"-B", "--buffer"},
            paramLabel = "SIZE",
            description = "Room of each HCA for packets that are not written yet (default: 16MiB); what finds none is"
                    + " dropped and counted, and no guest waits.")
    String buffer = "16MiB";

    @Option(names = "--no-verbs", description = "Packets alone.")
    boolean noVerbs;

    public CaptureCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws HvException, IOException, InterruptedException {
        CaptureRun.Options how = new CaptureRun.Options(snapBytes, bufferBytes(), !noVerbs, count);
        check();
        try (RunningMachine machine = new Machines(context()).running()) {
            List<Target> targets =
                    CaptureTargets.of(machine.folder().name(), MachineHca.chosen(machine, ""), List.copyOf(interfaces));
            try (CaptureRun run = CaptureRun.start(machine.client(), targets, how)) {
                capture(run);
            }
        } catch (MachineException e) {
            throw Failures.of(e, "one capture at a time; hv capture -i takes single ports");
        }
        return ExitCode.OK.number();
    }

    private void check() throws HvException {
        if (count < 1) {
            throw usage("-c " + count, "at least 1");
        }
        if (snapBytes < MIN_SNAP_BYTES || snapBytes > MAX_SNAP_BYTES) {
            throw usage("--snaplen " + snapBytes, MIN_SNAP_BYTES + " to " + MAX_SNAP_BYTES + " bytes");
        }
        if (duration != null && !duration.isPositive()) {
            throw usage("--duration " + duration.toMillis() + "ms", "such as 10s");
        }
        if (file.equals(STANDARD_OUTPUT) && context().environment().screen().out()) {
            throw usage("a capture is nothing for a terminal", "hv capture -w - | tshark -r -");
        }
    }

    private static HvException usage(String what, String allowed) {
        return new HvException(ExitCode.USAGE, what, allowed);
    }

    /** The next power of two. */
    private long bufferBytes() throws HvException {
        long bytes;
        try {
            bytes = Units.bytes(buffer);
        } catch (IllegalArgumentException e) {
            throw usage("--buffer: " + e.getMessage(), "such as 16MiB");
        }
        if (bytes < MIN_BUFFER_BYTES || bytes > MAX_BUFFER_BYTES) {
            throw usage("--buffer " + buffer, "64KiB to 1GiB");
        }
        return Long.highestOneBit(2 * bytes - 1);
    }

    private void capture(CaptureRun run) throws HvException, IOException, InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        Thread onSignal = new Thread(() -> end(run, ended), "capture-end");
        OutputStream out = open();
        Runtime.getRuntime().addShutdownHook(onSignal);
        if (duration != null) {
            long millis = duration.toMillis();
            Thread.ofPlatform().daemon().name("capture-duration").start(() -> stopAfter(run, ended, millis));
        }
        try {
            context().note("capturing; Ctrl-C ends it");
            summarize(run.run(out, "hv capture"));
        } finally {
            ended.countDown();
        }
    }

    /** The process is being ended: the file is to be whole. */
    private static void end(CaptureRun run, CountDownLatch ended) {
        run.stop();
        try {
            boolean _ = ended.await(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void stopAfter(CaptureRun run, CountDownLatch ended, long millis) {
        try {
            boolean _ = ended.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        run.stop();
    }

    private OutputStream open() throws HvException {
        if (file.equals(STANDARD_OUTPUT)) {
            return new FilterOutputStream(context().environment().out()) {
                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    out.write(bytes, offset, length);
                    if (context().environment().out().checkError()) {
                        throw new IOException("nobody reads standard output any more");
                    }
                }

                @Override
                public void close() throws IOException {
                    flush();
                }
            };
        }
        return OutputFile.open(context(), file);
    }

    private void summarize(Summary summary) {
        if (!summary.lost().isEmpty()) {
            context()
                    .note(String.join(", ", summary.lost()) + " ended, and the capture of "
                            + (summary.lost().size() == 1 ? "it" : "them"));
        }
        context()
                .note(count(summary.packets(), "packet") + " (" + summary.packetBytes() + " bytes) and "
                        + count(summary.verbs(), "control verb") + " written"
                        + (file.equals(STANDARD_OUTPUT) ? "" : " to " + file));
        if (summary.droppedPackets() + summary.droppedVerbs() > 0) {
            context()
                    .note(count(summary.droppedPackets(), "packet")
                            + (summary.droppedVerbs() > 0
                                    ? " and " + count(summary.droppedVerbs(), "control verb")
                                    : "")
                            + " not captured: the reader was too slow; --buffer gives more room, --snaplen takes less");
        }
    }

    private static String count(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
