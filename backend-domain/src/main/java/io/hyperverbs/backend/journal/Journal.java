package io.hyperverbs.backend.journal;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;

import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.wire.DocumentContext;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.FileStore;
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
    /** A full disk would kill the JVM inside a mapped file, so records stop before that. */
    private static final long RESERVE_BYTES = 64L << 20;

    private static final int RECORDS_PER_SPACE_CHECK = 64;
    private static final int DENIED_ARGUMENTS_LENGTH = 200;

    private final Path folder;
    private final Clock clock;
    private final CompletableFuture<ChronicleQueue> opening;
    private int untilSpaceCheck;
    private boolean closed;
    private @Nullable ExcerptAppender appender;

    private Journal(Path folder, Clock clock) {
        this.folder = folder;
        this.clock = clock;
        this.opening = new CompletableFuture<>();
        Thread opener =
                Thread.ofPlatform().name("journal-open").daemon().unstarted(this::openQueue);
        opener.start();
    }

    /** Opens the journal in the state folder of a topology, and returns before it is open. */
    public static Journal open(Path stateFolder, Clock clock) {
        return new Journal(stateFolder.resolve(JournalFile.FOLDER), clock);
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

    /** Closes the files; later records are refused. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (appender != null) {
            appender.close();
        }
        var _ = opening.thenAccept(ChronicleQueue::close);
    }

    private synchronized void append(
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
        checkSpace();
        try (DocumentContext document = appender().writingDocument()) {
            // Until the end of the block the document is open; a throw must not leave half of it.
            boolean written = false;
            try {
                JournalFile.write(Objects.requireNonNull(document.wire(), "wire"), record);
                written = true;
            } finally {
                if (!written) {
                    document.rollbackOnClose();
                }
            }
        } catch (RuntimeException e) {
            throw new JournalException("record not written to " + folder, e);
        }
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
            FileStore disk = Files.getFileStore(Files.exists(folder) ? folder : parent());
            long usable = disk.getUsableSpace();
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
