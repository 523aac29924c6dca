package io.hyperverbs.backend.journal;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;

import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.wire.DocumentContext;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Writes the journal of one backend; the only writer of its folder. Opening takes a while and runs
 * beside the rest of the start; the first record waits for it. Any thread, one record at a time.
 */
public final class Journal implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);

    /** A full disk would kill the JVM inside a mapped file, so records stop before that. */
    private static final long RESERVE_BYTES = 64L << 20;

    private static final int RECORDS_PER_SPACE_CHECK = 64;
    private static final int DENIED_ARGUMENTS_LENGTH = 200;

    /** What is left of the disk that a folder is on. */
    interface Space {
        Space OF_DISK = folder -> Files.getFileStore(folder).getUsableSpace();

        long usableBytes(Path folder) throws IOException;
    }

    private final Path folder;
    private final Clock clock;
    private final CompletableFuture<ChronicleQueue> opening;
    private final Space space;
    private long count;
    private byte[] link;
    private int untilSpaceCheck;
    private boolean closed;
    private @Nullable ExcerptAppender appender;

    private Journal(Path folder, Clock clock, Space space, JournalScan former) {
        this.folder = folder;
        this.clock = clock;
        this.space = space;
        this.count = former.count();
        this.link = former.link();
        this.opening = new CompletableFuture<>();
        Thread opener =
                Thread.ofPlatform().name("journal-open").daemon().unstarted(this::openQueue);
        opener.start();
    }

    /**
     * Opens the journal in the state folder of a topology; it may take a while longer until it
     * takes its first record. A record that was torn when its process died is dropped.
     *
     * @throws JournalException if the journal is damaged elsewhere than at its end
     */
    public static Journal open(Path stateFolder, Clock clock) throws JournalException {
        return open(stateFolder, clock, Space.OF_DISK);
    }

    static Journal open(Path stateFolder, Clock clock, Space space) throws JournalException {
        Path folder = stateFolder.resolve(JournalFile.FOLDER);
        try {
            JournalRepair.finish(folder);
            JournalScan former = JournalScan.of(folder, _ -> {});
            String tornAt = former.tornAt();
            if (tornAt != null) {
                LOG.warn(
                        "the journal's last record is not whole ({}); {} before it are",
                        tornAt,
                        former.count());
                JournalRepair.dropTail(folder);
            }
            return new Journal(folder, clock, space, former);
        } catch (IOException e) {
            throw new JournalException("journal " + folder + " not read", e);
        }
    }

    /** {@code request} passed its checks and is about to be done. */
    public void intent(int domain, String name, long requestId, ControlRequest request)
            throws JournalException {
        append(
                domain,
                name,
                requestId,
                JournalRecord.Phase.INTENT,
                VerbText.name(request),
                VerbText.arguments(request),
                VerbsStatus.SUCCESS,
                0);
    }

    /** It is done; once this returns the verb survives the death of this process. */
    public void commit(
            int domain, String name, long requestId, ControlRequest request, ControlReply reply)
            throws JournalException {
        append(
                domain,
                name,
                requestId,
                JournalRecord.Phase.COMMIT,
                VerbText.name(request),
                VerbText.answer(reply),
                VerbsStatus.SUCCESS,
                0);
    }

    /** After an intent: it could not be done, and nothing of it is left. */
    public void undone(
            int domain,
            String name,
            long requestId,
            ControlRequest request,
            ControlReply.Refused reply)
            throws JournalException {
        append(
                domain,
                name,
                requestId,
                JournalRecord.Phase.UNDONE,
                VerbText.name(request),
                reply.message(),
                reply.status(),
                0);
    }

    /**
     * A check refused it. Not every refusal is recorded.
     *
     * @param leftOut refusals of this domain since the last one recorded
     */
    public void denied(
            int domain,
            String name,
            long requestId,
            ControlRequest request,
            ControlReply.Refused reply,
            long leftOut)
            throws JournalException {
        String arguments = VerbText.arguments(request) + ": " + reply.message();
        append(
                domain,
                name,
                requestId,
                JournalRecord.Phase.DENIED,
                VerbText.name(request),
                arguments.substring(0, Math.min(arguments.length(), DENIED_ARGUMENTS_LENGTH)),
                reply.status(),
                leftOut);
    }

    /** The domain broke the protocol. */
    public void violation(int domain, String name, String words) throws JournalException {
        append(
                domain,
                name,
                0,
                JournalRecord.Phase.VIOLATION,
                "protocol",
                words,
                VerbsStatus.EPERM,
                0);
    }

    /** The domain's session ended, after so many messages on its device channel. */
    public void ended(int domain, String name, long controlMessages, long dataMessages)
            throws JournalException {
        append(
                domain,
                name,
                0,
                JournalRecord.Phase.ENDED,
                "session",
                "control=" + controlMessages + " data=" + dataMessages,
                VerbsStatus.SUCCESS,
                0);
    }

    /** Writes a record as it was, for a journal that is written anew. */
    void copy(JournalRecord record) throws JournalException {
        append(record);
    }

    /**
     * Closes the files; later records are refused. If they are being opened it waits for that: once
     * it returns nothing is written any more.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (appender != null) {
            appender.close();
        }
        opening.thenAccept(ChronicleQueue::close).exceptionally(_ -> null).join();
    }

    private void append(
            int domain,
            String name,
            long requestId,
            JournalRecord.Phase phase,
            String verb,
            String arguments,
            VerbsStatus status,
            long suppressedBefore)
            throws JournalException {
        JournalRecord record =
                new JournalRecord(
                        ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant()),
                        domain,
                        name,
                        requestId,
                        phase,
                        verb,
                        arguments,
                        status,
                        suppressedBefore);
        append(record);
    }

    private synchronized void append(JournalRecord record) throws JournalException {
        checkSpace();
        byte[] frame = JournalFrame.encode(record, count + 1, link);
        try (DocumentContext document = appender().writingDocument()) {
            // Until the end of the block the document is open; a throw must not leave half of it.
            boolean written = false;
            try {
                JournalFile.write(Objects.requireNonNull(document.wire(), "wire").bytes(), frame);
                written = true;
            } finally {
                if (!written) {
                    document.rollbackOnClose();
                }
            }
        } catch (RuntimeException e) {
            throw new JournalException("record not written to " + folder, e);
        }
        count++;
        link = JournalFrame.linkOf(frame);
    }

    private ExcerptAppender appender() throws JournalException {
        if (closed) {
            throw new JournalException("the journal is closed");
        }
        ExcerptAppender ready = appender;
        if (ready == null) {
            ready = queue().createAppender();
            // Calls come from many threads, one at a time under this object's lock.
            ready.singleThreadedCheckDisabled(true);
            appender = ready;
        }
        return ready;
    }

    private ChronicleQueue queue() throws JournalException {
        try {
            return opening.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JournalException("interrupted while the journal opens", e);
        } catch (ExecutionException e) {
            throw new JournalException("journal " + folder + " does not open", e);
        }
    }

    private void checkSpace() throws JournalException {
        if (untilSpaceCheck-- > 0) {
            return;
        }
        try {
            long usable = space.usableBytes(Files.exists(folder) ? folder : parent());
            if (usable < RESERVE_BYTES) {
                untilSpaceCheck = 0;
                throw new JournalException(
                        usable + " bytes left on the disk, the journal needs " + RESERVE_BYTES);
            }
            untilSpaceCheck = RECORDS_PER_SPACE_CHECK;
        } catch (IOException e) {
            throw new JournalException("space for " + folder + " not known", e);
        }
    }

    private Path parent() {
        Path parent = folder.toAbsolutePath().getParent();
        return parent == null ? folder : parent;
    }

    private void openQueue() {
        try {
            ChronicleQueue queue = JournalFile.at(folder).build();
            // The first record would pay for creating the file, so it is made here.
            queue.createAppender().close();
            opening.complete(queue);
        } catch (RuntimeException | Error e) {
            opening.completeExceptionally(e);
        }
    }
}
