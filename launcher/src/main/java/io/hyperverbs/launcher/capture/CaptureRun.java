package io.hyperverbs.launcher.capture;

import io.hyperverbs.hca.capture.PacketFate;
import io.hyperverbs.launcher.capture.CaptureInterface.LinkType;
import io.hyperverbs.launcher.capture.CaptureMerge.Merged;
import io.hyperverbs.vmm.capture.CaptureRecordLayout;
import io.hyperverbs.vmm.capture.CaptureRecordLayout.Field;
import io.hyperverbs.vmm.control.CaptureCall;
import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.domain.MachineCapture;
import io.hyperverbs.vmm.domain.MachineException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A capture of one or several HCAs of a machine into one pcapng stream: an interface for each port, one for the control
 * verbs of each HCA. All times are the computer's CLOCK_MONOTONIC, put on the calendar once, when the capture begins.
 * {@link #run} is for one thread, {@link #stop} for any.
 */
public final class CaptureRun implements AutoCloseable {
    private static final int STREAMS_OF_ONE = 2;
    private static final int IDLE_MILLIS = 50;

    /** What was on its way when it was to stop. */
    private static final long LAST_MILLIS = 2_000;

    private final List<Source> sources = new ArrayList<>();
    private final Options options;
    private final CaptureMerge merge;
    private final PacketFrames frames = new PacketFrames();
    private final long epochNanos =
            Duration.between(Instant.EPOCH, Instant.now()).toNanos() - System.nanoTime();
    private final List<Tally> tallies = new ArrayList<>();
    private volatile long stopMillis = Long.MAX_VALUE;
    private long packets;
    private long packetBytes;
    private long verbs;

    /**
     * What is captured of an HCA.
     *
     * @param ports from 1
     * @param descriptions of those ports, in words
     */
    public record Target(String hca, List<Integer> ports, List<String> descriptions) {}

    /**
     * How.
     *
     * @param snapBytes the most that is taken of a packet, its IPv4 and UDP headers included
     * @param ringBytes room of each HCA for packets that were not fetched yet
     * @param verbs control verbs, too
     * @param mostPackets it ends after so many
     */
    public record Options(int snapBytes, long ringBytes, boolean verbs, long mostPackets) {}

    /**
     * What came of it.
     *
     * @param packetBytes of IPv4 packets
     * @param droppedPackets that this process was too slow for
     * @param lost HCAs that ended, or whose capture did
     */
    public record Summary(
            long packets, long packetBytes, long verbs, long droppedPackets, long droppedVerbs, List<String> lost) {}

    /** What an interface has had. */
    private static final class Tally {
        long received;
    }

    /** One HCA. */
    private final class Source {
        final Target target;
        final CaptureCall call;
        final int stream;
        final int firstInterface;
        final Map<Integer, Integer> interfaceOfPort = new HashMap<>();
        volatile long droppedPackets;
        volatile long droppedVerbs;
        volatile boolean isLost;

        Source(Target target, CaptureCall call) {
            this.target = target;
            this.call = call;
            this.stream = STREAMS_OF_ONE * sources.size();
            this.firstInterface = tallies.size();
            for (int port : target.ports()) {
                interfaceOfPort.put(port, tallies.size());
                tallies.add(new Tally());
            }
            tallies.add(new Tally());
            if (options.verbs()) {
                tallies.add(new Tally());
            }
        }

        int insideInterface() {
            return firstInterface + target.ports().size();
        }

        int verbsInterface() {
            return insideInterface() + 1;
        }

        /** On a thread of its own. */
        void pump() {
            RecordStream packetRecords = new RecordStream();
            RecordStream verbRecords = new RecordStream();
            try {
                for (CaptureCall.Chunk chunk = call.next(); chunk != null; chunk = call.next()) {
                    droppedPackets = chunk.droppedPackets();
                    droppedVerbs = chunk.droppedVerbs();
                    merge.add(stream, packetRecords.add(chunk.packets()), chunk.packetsUntil());
                    merge.add(stream + 1, verbRecords.add(chunk.verbs()), chunk.verbsUntil());
                    merge.awaitRoom(stream, STREAMS_OF_ONE);
                }
                isLost = stopMillis == Long.MAX_VALUE;
            } catch (MachineException e) {
                isLost = true;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                merge.end(stream);
                merge.end(stream + 1);
            }
        }
    }

    /**
     * Begins to capture.
     *
     * @throws MachineException EBUSY: an HCA is being captured; ENOENT: there is none of that name, or it is gone
     */
    public static CaptureRun start(MachineClient machine, List<Target> targets, Options options)
            throws MachineException {
        CaptureRun run = new CaptureRun(targets.size(), options);
        boolean isOn = false;
        try {
            for (Target target : targets) {
                run.sources.add(run.new Source(target, machine.capture(target.hca(), run.settings(target))));
            }
            isOn = true;
            return run;
        } finally {
            if (!isOn) {
                run.close();
            }
        }
    }

    private CaptureRun(int hcas, Options options) {
        this.options = options;
        this.merge = new CaptureMerge(STREAMS_OF_ONE * hcas);
    }

    private MachineCapture.Settings settings(Target target) {
        int ports = 0;
        for (int port : target.ports()) {
            ports |= 1 << port;
        }
        int snapBytes = Math.max(0, options.snapBytes() - RocePacketRenderer.HEADER_BYTES);
        return new MachineCapture.Settings(ports, options.verbs(), snapBytes, options.ringBytes());
    }

    /** Ends it: what came until now is still written. Any thread. */
    public void stop() {
        merge.endAt(System.nanoTime());
        stopMillis = Math.min(stopMillis, System.currentTimeMillis());
    }

    /**
     * Writes what comes until so many packets have, until {@link #stop}, or until the HCAs are gone.
     *
     * @param application what makes the capture
     * @param out closed at the end
     */
    public Summary run(OutputStream out, String application) throws IOException, InterruptedException {
        for (Source source : sources) {
            Thread.ofPlatform().daemon().name("capture-" + source.target.hca()).start(source::pump);
        }
        try (PcapngWriter writer = new PcapngWriter(out, application, comments(), interfaces())) {
            while (packets < options.mostPackets() && !isOver()) {
                Merged next = merge.take(0);
                if (next == null) {
                    writer.flush();
                    next = merge.take(IDLE_MILLIS);
                }
                if (next != null) {
                    write(writer, next);
                }
            }
            long now = epochNanos + System.nanoTime();
            for (Source source : sources) {
                statistics(writer, source, now);
            }
        } finally {
            close();
        }
        return summary();
    }

    private boolean isOver() {
        return merge.isOver() || System.currentTimeMillis() - LAST_MILLIS > stopMillis;
    }

    private List<String> comments() {
        return List.of("times are CLOCK_MONOTONIC of one computer, for all interfaces");
    }

    private List<CaptureInterface> interfaces() {
        List<CaptureInterface> interfaces = new ArrayList<>();
        for (Source source : sources) {
            String hca = source.target.hca();
            for (int i = 0; i < source.target.ports().size(); i++) {
                interfaces.add(new CaptureInterface(
                        hca + "/" + source.target.ports().get(i),
                        source.target.descriptions().get(i),
                        LinkType.IPV4));
            }
            interfaces.add(new CaptureInterface(
                    hca + "/inside",
                    "messages within HCA " + hca + ", shown as the packets they would be",
                    LinkType.IPV4));
            if (options.verbs()) {
                interfaces.add(new CaptureInterface(
                        hca + "/verbs", "control verbs of HCA " + hca + ", which cross no wire", LinkType.UPPER_PDU));
            }
        }
        return interfaces;
    }

    private void write(PcapngWriter writer, Merged merged) throws IOException {
        Source source = sources.get(merged.stream() / STREAMS_OF_ONE);
        CaptureRecord record = merged.record();
        long time = epochNanos + record.timeNanos();
        if (record.kind() == CaptureRecordLayout.VERB) {
            String text = new String(record.bytes(), StandardCharsets.UTF_8);
            verbs++;
            tallies.get(source.verbsInterface()).received++;
            writer.packet(source.verbsInterface(), time, ControlVerbRenderer.render(text), List.of(text));
            return;
        }
        PacketFate fate = PacketFate.of(record.get(Field.FATE));
        Integer at = fate != null && fate.isInside()
                ? Integer.valueOf(source.insideInterface())
                : source.interfaceOfPort.get(record.get(Field.PORT));
        if (record.kind() == CaptureRecordLayout.PACKET && at != null) {
            CaptureFrame frame = frames.frame(record);
            packets++;
            packetBytes += frame.wholeBytes();
            tallies.get(at).received++;
            writer.packet(at, time, frame);
        }
    }

    /** A ring is one HCA's; what it had no room for is counted at its first port. */
    private void statistics(PcapngWriter writer, Source source, long now) throws IOException {
        for (int at = source.firstInterface; at < source.verbsInterface(); at++) {
            long dropped = at == source.firstInterface ? source.droppedPackets : 0;
            writer.statistics(at, now, tallies.get(at).received + dropped, dropped);
        }
        if (options.verbs()) {
            long received = tallies.get(source.verbsInterface()).received;
            writer.statistics(source.verbsInterface(), now, received + source.droppedVerbs, source.droppedVerbs);
        }
    }

    private Summary summary() {
        long droppedPackets =
                sources.stream().mapToLong(source -> source.droppedPackets).sum();
        long droppedVerbs =
                sources.stream().mapToLong(source -> source.droppedVerbs).sum();
        List<String> lost = sources.stream()
                .filter(source -> source.isLost)
                .map(source -> source.target.hca())
                .toList();
        return new Summary(packets, packetBytes, verbs, droppedPackets, droppedVerbs, lost);
    }

    /** Switches the capture off in all HCAs. Any thread. */
    @Override
    public void close() {
        stop();
        sources.forEach(source -> source.call.close());
    }
}
