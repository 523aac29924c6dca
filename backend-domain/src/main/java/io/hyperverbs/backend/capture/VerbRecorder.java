package io.hyperverbs.backend.capture;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.verbs.VerbTap;
import io.hyperverbs.vmm.capture.CaptureRecordLayout;
import io.hyperverbs.vmm.capture.CaptureRingWriter;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectNames;
import io.hyperverbs.vmm.io.VerbText;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes privileged verbs to a ring as a line of text, in the words of the verb log, with the time of the answer: what
 * a verb allows comes after it. Any thread.
 */
final class VerbRecorder implements VerbTap {
    private static final Logger LOG = LoggerFactory.getLogger(VerbRecorder.class);
    private static final int MOST_BYTES = 16 << 10;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final Call UNSEEN = _ -> {};

    private final LongSupplier nanoTime;
    private final CaptureRingWriter ring;
    private boolean isOver;

    VerbRecorder(CaptureRingWriter ring, LongSupplier nanoTime) {
        this.ring = ring;
        this.nanoTime = nanoTime;
    }

    @Override
    public Call begin(Session session, ControlRequest request) {
        try {
            long beginNanos = nanoTime.getAsLong();
            ObjectNames names = new SessionNames(session);
            String call = session.name() + " " + VerbText.call(request, names);
            return reply -> end(call, reply, names, beginNanos);
        } catch (RuntimeException e) {
            return failed(e);
        }
    }

    private void end(String call, ControlReply reply, ObjectNames names, long beginNanos) {
        try {
            String result = VerbText.result(reply, names);
            double micros = (nanoTime.getAsLong() - beginNanos) / NANOS_PER_MICRO;
            String line = String.format(Locale.ROOT, "%s = %s <%.2fus>", call, result, micros);
            write(line.getBytes(StandardCharsets.UTF_8));
        } catch (RuntimeException e) {
            Call _ = failed(e);
        }
    }

    /** The verb goes on. */
    private static Call failed(RuntimeException e) {
        LOG.warn("a verb is not captured", e);
        return UNSEEN;
    }

    private synchronized void write(byte[] line) {
        int bytes = Math.min(line.length, MOST_BYTES);
        long at = isOver ? CaptureRingWriter.FULL : ring.begin(CaptureRecordLayout.VERB, bytes);
        if (at != CaptureRingWriter.FULL) {
            MemorySegment memory = ring.memory();
            CaptureRecordLayout.timeNanos(memory, at, nanoTime.getAsLong());
            MemorySegment.copy(line, 0, memory, JAVA_BYTE, at + CaptureRecordLayout.SIZE_BYTES, bytes);
            ring.end();
        }
    }

    /** Writes nothing any more, also of verbs that have begun. */
    synchronized void end() {
        isOver = true;
    }
}
