package io.hyperverbs.backend.journal;

import io.hyperverbs.backend.log.Quiet;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.posix.PosixAPI;

/** The queue in the folder of a segment, and how a frame lies in its documents. */
final class JournalFile {
    static final String FOLDER = "journal";
    static final String SUFFIX = ".cq4";

    /** What Chronicle Queue keeps beside the file of records. */
    static final String TABLE = "metadata.cq4t";

    /** Files are mapped by this much. */
    private static final long BLOCK_BYTES = 1 << 20;

    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern(RollCycles.FAST_DAILY.format()).withZone(ZoneOffset.UTC);

    private JournalFile() {}

    static SingleChronicleQueueBuilder at(Path folder) {
        // It tells how long each mapping took, and prints a banner.
        Quiet.errorsOnly("net.openhft");
        // It would make classes for a library of POSIX functions of which the journal needs none.
        PosixAPI.useNoOpPosixApi();
        return SingleChronicleQueueBuilder.binary(folder).blockSize(BLOCK_BYTES).rollCycle(RollCycles.FAST_DAILY);
    }

    /** Name of the file of records in a queue whose time is that. */
    static String nameOf(long timeMillis) {
        return NAME.format(Instant.ofEpochMilli(timeMillis)) + SUFFIX;
    }

    static void write(Bytes<?> document, byte[] frame) {
        var _ = document.write(frame);
    }
}
