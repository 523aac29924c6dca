package io.hyperverbs.backend.journal;

import com.google.protobuf.ByteString;
import io.hyperverbs.backend.journal.JournalRecord.Phase;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlCodec;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.VerbText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the journal of one backend; the only writer of its folder. Its space is taken ahead and
 * bounded (docs/adr/0025): where the disk has no more of it, records of what creates are refused
 * and those of what ends go on for a while. Making the first segment takes a while and runs beside
 * the rest of the start; the first record waits for it. Any thread, one record at a time.
 */
public final class Journal implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);
    private static final int DENIED_LENGTH = 200;

    private final Path folder;
    private final Clock clock;
    private final JournalSpace space;
    private long count;
    private byte[] link;
    private long unrecorded;
    private @Nullable Segment segment;
    // Before the first record of the segment.
    private long countBefore;
    private byte[] linkBefore;

    private Journal(Path folder, Clock clock, JournalSpace space, JournalScan former) {
        this.folder = folder;
        this.clock = clock;
        this.space = space;
        this.count = former.count();
        this.link = former.link();
        this.linkBefore = link;
    }

    /**
     * Opens the journal in the state folder of a topology; it may take a while longer until it
     * takes its first record. A record that was torn when its process died is dropped.
     *
     * @throws JournalException if the journal is damaged elsewhere than at an end
     */
    public static Journal open(Path stateFolder, Clock clock) throws JournalException {
        return open(stateFolder, clock, Segment::create, JournalSpace.KEEP_BYTES);
    }

    static Journal open(Path stateFolder, Clock clock, JournalSpace.Maker maker, long keepBytes)
            throws JournalException {
        Path folder = stateFolder.resolve(JournalFile.FOLDER);
        try {
            JournalScan former = JournalScan.of(folder, _ -> {});
            String tornAt = former.tornAt();
            if (tornAt != null) {
                LOG.warn("the journal's last record is not whole ({}); {} before it are", tornAt, former.count());
            }
            List<Path> segments = new ArrayList<>(JournalFolder.segments(folder));
            long next = segments.isEmpty() ? 1 : JournalFolder.number(segments.getLast()) + 1;
            for (Path unused : former.unused()) {
                JournalFolder.delete(unused);
                segments.remove(unused);
            }
            return new Journal(
                    folder, clock, new JournalSpace(folder, clock, maker, segments, next, keepBytes), former);
        } catch (IOException e) {
            throw new JournalException("journal " + folder + " not read", e);
        }
    }

    /**
     * {@code request} passed its checks and is about to be done.
     *
     * @param ending whether it gives back, for which there is room longer
     * @return bytes that the record takes
     */
    public int intent(int domain, String name, long requestId, ControlRequest request, boolean ending)
            throws JournalException {
        ByteString message = ByteString.copyFrom(ControlCodec.bytesOf(request));
        return append(ending, record(domain, name, requestId, Phase.INTENT, request, "", message));
    }

    /**
     * It is done; once this returns the verb survives the death of this process.
     *
     * @return bytes that the record takes
     */
    public int commit(int domain, String name, long requestId, ControlRequest request, ControlReply reply)
            throws JournalException {
        ByteString message = ByteString.copyFrom(ControlCodec.bytesOf(reply));
        return append(true, record(domain, name, requestId, Phase.COMMIT, request, "", message));
    }

    private JournalRecord record(
            int domain,
            String name,
            long requestId,
            Phase phase,
            ControlRequest request,
            String words,
            ByteString message) {
        String verb = VerbText.name(request);
        return new JournalRecord(
                nowMicros(), domain, name, requestId, phase, verb, words, VerbsStatus.SUCCESS, 0, message);
    }

    /** After an intent: it could not be done, and nothing of it is left. */
    public void undone(int domain, String name, long requestId, ControlRequest request, ControlReply.Refused reply)
            throws JournalException {
        String verb = VerbText.name(request);
        var _ = append(
                true,
                new JournalRecord(
                        nowMicros(), domain, name, requestId, Phase.UNDONE, verb, reply.message(), reply.status(), 0));
    }

    /**
     * A check refused it. Not every refusal is recorded, and of a long request its name alone.
     *
     * @param leftOut refusals of this domain since the last one recorded
     */
    public void denied(
            int domain, String name, long requestId, ControlRequest request, ControlReply.Refused reply, long leftOut)
            throws JournalException {
        byte[] message = ControlCodec.bytesOf(request);
        String words = reply.message();
        var _ = append(
                false,
                new JournalRecord(
                        nowMicros(),
                        domain,
                        name,
                        requestId,
                        Phase.DENIED,
                        VerbText.name(request),
                        words.substring(0, Math.min(words.length(), DENIED_LENGTH)),
                        reply.status(),
                        leftOut,
                        message.length > DENIED_LENGTH ? ByteString.EMPTY : ByteString.copyFrom(message)));
    }

    /** The domain broke the protocol. */
    public void violation(int domain, String name, String words) throws JournalException {
        var _ = append(
                false,
                new JournalRecord(
                        nowMicros(), domain, name, 0, Phase.VIOLATION, "protocol", words, VerbsStatus.EPERM, 0));
    }

    /** The domain's session ended, after so many messages on its device channel. */
    public void ended(int domain, String name, long controlMessages, long dataMessages) throws JournalException {
        String words = "control=" + controlMessages + " data=" + dataMessages;
        var _ = append(
                true,
                new JournalRecord(nowMicros(), domain, name, 0, Phase.ENDED, "session", words, VerbsStatus.SUCCESS, 0));
    }

    /** A verb that cannot be refused was done without a record; the next segment says how many. */
    public synchronized void unrecorded() {
        unrecorded++;
    }

    /**
     * Closes the files; later records are refused. If they are being made it waits for that: once
     * it returns nothing is written any more.
     */
    @Override
    public void close() {
        space.refuse();
        synchronized (this) {
            // Whoever had room has written: nobody writes to memory that is unmapped.
            segment = null;
        }
        space.close();
    }

    private synchronized int append(boolean ending, JournalRecord record) throws JournalException {
        byte[] frame = JournalFrame.encode(record, count + 1, link);
        Segment into = space.take(Segment.sizeOf(frame), ending);
        if (into != segment) {
            begin(into);
            frame = JournalFrame.encode(record, count + 1, link);
        }
        write(into, frame);
        return Segment.sizeOf(frame);
    }

    /** The first record of a segment says what was before: the oldest segments go. */
    private void begin(Segment into) throws JournalException {
        segment = into;
        countBefore = count;
        linkBefore = link;
        if (count == 0) {
            return;
        }
        write(into, JournalFrame.encode(JournalRecord.begun(nowMicros(), link, unrecorded), count + 1, link));
        unrecorded = 0;
    }

    private void write(Segment into, byte[] frame) throws JournalException {
        try {
            into.write(frame);
        } catch (RuntimeException | Error e) {
            // Also what a fault in mapped memory becomes.
            space.abandon(into);
            segment = null;
            if (!holds(into)) {
                throw new JournalException("record not written to " + folder, e);
            }
        }
        count++;
        link = JournalFrame.linkOf(frame);
    }

    /** Whether the next record is whole in a file to which writing it failed at some step. */
    private boolean holds(Segment failed) {
        JournalScan scan = JournalScan.behind(countBefore, linkBefore);
        try {
            scan.file(failed.folder().toString(), failed.bytes());
        } catch (IOException | JournalException e) {
            LOG.warn("{} not read: {}", failed.folder(), e.toString());
            return false;
        }
        return scan.count() > count;
    }

    private long nowMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
    }
}
