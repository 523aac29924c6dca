package io.hyperverbs.backend.journal;

import io.hyperverbs.backend.log.Quiet;
import io.hyperverbs.verbs.VerbsStatus;

import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.ValueIn;
import net.openhft.chronicle.wire.WireIn;
import net.openhft.chronicle.wire.WireOut;

import java.nio.file.Path;

/** The queue in a folder, and how a record lies in it; the only place that names its fields. */
final class JournalFile {
    static final String FOLDER = "journal";

    /** Files grow by this; they are sparse, so it is address space rather than disk. */
    private static final long BLOCK_BYTES = 1 << 20;

    /**
     * Waiting for a record that a killed writer left half done; the default of 10 s is too long.
     */
    private static final long TIMEOUT_MILLIS = 500;

    private JournalFile() {}

    static SingleChronicleQueueBuilder at(Path folder) {
        // It tells how long each mapping took, and prints a banner.
        Quiet.errorsOnly("net.openhft");
        return SingleChronicleQueueBuilder.binary(folder)
                .blockSize(BLOCK_BYTES)
                .rollCycle(RollCycles.FAST_DAILY)
                .timeoutMS(TIMEOUT_MILLIS);
    }

    static void write(WireOut wire, JournalRecord record) {
        wire.write("time").int64(record.timeMicros());
        wire.write("domain").int32(record.domain());
        wire.write("name").text(record.domainName());
        wire.write("request").int64(record.requestId());
        wire.write("phase").int32(record.phase().code());
        wire.write("verb").text(record.verb());
        wire.write("arguments").text(record.arguments());
        wire.write("status").int32(record.status().code());
        wire.write("suppressed").int64(record.suppressed());
    }

    static JournalRecord read(WireIn wire) {
        return new JournalRecord(
                wire.read("time").int64(),
                wire.read("domain").int32(),
                text(wire.read("name")),
                wire.read("request").int64(),
                JournalRecord.Phase.of(wire.read("phase").int32()),
                text(wire.read("verb")),
                text(wire.read("arguments")),
                VerbsStatus.of(wire.read("status").int32()),
                wire.read("suppressed").int64());
    }

    private static String text(ValueIn value) {
        String text = value.text();
        return text == null ? "" : text;
    }
}
