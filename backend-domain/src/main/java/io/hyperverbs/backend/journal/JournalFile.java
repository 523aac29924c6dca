package io.hyperverbs.backend.journal;

import io.hyperverbs.backend.log.Quiet;

import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;

import java.nio.file.Path;

/** The queue in a folder, and how a frame lies in its documents. */
final class JournalFile {
    static final String FOLDER = "journal";
    static final String SUFFIX = ".cq4";

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

    static void write(Bytes<?> document, byte[] frame) {
        var _ = document.write(frame);
    }

    static byte[] read(Bytes<?> document) {
        byte[] frame = new byte[(int) Math.min(document.readRemaining(), JournalFrame.MAX_BYTES)];
        int _ = document.read(frame);
        return frame;
    }
}
