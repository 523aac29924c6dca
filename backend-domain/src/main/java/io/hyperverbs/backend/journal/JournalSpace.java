package io.hyperverbs.backend.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The disk of a journal: the segment being written, the next one, made ahead by a thread of its
 * own, and those before, of which the oldest go. Where the disk has no room for the next one, the
 * last {@value #RESERVE_BYTES} bytes of this one are for what gives back. Any thread.
 */
final class JournalSpace implements AutoCloseable {
    /** Bytes of all segments that are kept, the one being written with them. */
    static final long KEEP_BYTES = 64L << 20;

    /** Intent and commit of each object that a few guests can have, to be ended. */
    static final int RESERVE_BYTES = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(JournalSpace.class);
    private static final long RETRY_MILLIS = 200;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long MOST_FRAME_BYTES = Segment.BYTES / 4;

    /** Makes segments. */
    interface Maker {
        Segment make(Path folder, long timeMillis) throws IOException;
    }

    private final Path folder;
    private final Clock clock;
    private final Maker maker;
    private final int keepSegments;
    private final Thread thread;
    private final Deque<Path> kept = new ArrayDeque<>();
    private final Deque<Segment> written = new ArrayDeque<>();
    private long nextNumber;
    private @Nullable Segment current;
    private @Nullable Segment next;
    private @Nullable String failure;
    private boolean refusing;
    private boolean closed;

    /**
     * @param former segments of earlier processes, oldest first
     * @param nextNumber of the first segment to be made
     */
    JournalSpace(Path folder, Clock clock, Maker maker, Collection<Path> former, long nextNumber, long keepBytes) {
        this.folder = folder;
        this.clock = clock;
        this.maker = maker;
        this.kept.addAll(former);
        this.nextNumber = nextNumber;
        this.keepSegments = (int) Math.max(2, keepBytes / Segment.BYTES);
        this.thread = Thread.ofPlatform().name("journal-space").daemon().start(this::run);
    }

    /**
     * The segment that takes a record of that size; another one than before if that is full. Waits
     * while the next one is being made.
     *
     * @param ending whether the record may use what is left where there is no next segment
     * @throws JournalException if the disk has no room
     */
    synchronized Segment take(int bytes, boolean ending) throws JournalException {
        if (bytes > MOST_FRAME_BYTES) {
            throw new JournalException("record of " + bytes + " bytes");
        }
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            if (refusing) {
                throw new JournalException("the journal is closed");
            }
            Segment open = current;
            if (open != null && open.roomBytes() - bytes >= (ending || next != null ? 0 : RESERVE_BYTES)) {
                return open;
            }
            if (next != null) {
                return goOn(next);
            }
            awaitNext(deadline - System.nanoTime());
        }
    }

    /** A write to it failed: nothing more is written there. */
    synchronized void abandon(Segment segment) {
        if (current == segment) {
            current = null;
            written.add(segment);
            notifyAll();
        }
    }

    private Segment goOn(Segment segment) {
        if (current != null) {
            written.add(current);
        }
        current = segment;
        kept.add(segment.folder());
        next = null;
        notifyAll();
        return segment;
    }

    private void awaitNext(long nanos) throws JournalException {
        String why = failure;
        if (why != null) {
            throw new JournalException("no room for the journal: " + why);
        }
        if (nanos <= 0) {
            throw new JournalException("the next part of the journal is not ready");
        }
        try {
            TimeUnit.NANOSECONDS.timedWait(this, nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JournalException("interrupted while the journal makes room", e);
        }
    }

    /** Nothing is taken any more; who waits for room is refused. */
    synchronized void refuse() {
        refusing = true;
        notifyAll();
    }

    /** Closes all; nobody may write to a segment that was taken any more. */
    @Override
    public void close() {
        refuse();
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (true) {
            boolean make;
            synchronized (this) {
                if (closed) {
                    break;
                }
                make = next == null;
            }
            tidy();
            if (make) {
                make();
            }
            synchronized (this) {
                try {
                    if (!closed && next == null && failure != null) {
                        wait(RETRY_MILLIS);
                    } else if (!closed && next != null && written.isEmpty()) {
                        wait();
                    }
                } catch (InterruptedException e) {
                    // Nobody interrupts it but to end it with its process.
                    break;
                }
            }
        }
        end();
    }

    private void make() {
        Path place;
        synchronized (this) {
            place = JournalFolder.segment(folder, nextNumber);
        }
        Segment made = null;
        String why = null;
        try {
            made = maker.make(place, clock.millis());
        } catch (IOException | RuntimeException | Error e) {
            // The disk is full, or whatever else: what creates is refused in these words.
            why = String.valueOf(e.getMessage());
        }
        synchronized (this) {
            if (why != null && failure == null) {
                LOG.warn("the journal gets no further {} bytes: {}", Segment.BYTES, why);
            }
            failure = why;
            next = made;
            nextNumber += made == null ? 0 : 1;
            notifyAll();
        }
    }

    /** Closes what is full, removes the oldest. */
    private void tidy() {
        while (true) {
            Segment full;
            synchronized (this) {
                full = written.poll();
            }
            if (full == null) {
                break;
            }
            close(full);
        }
        while (true) {
            Path oldest;
            synchronized (this) {
                oldest = kept.size() > keepSegments ? kept.poll() : null;
            }
            if (oldest == null) {
                break;
            }
            delete(oldest);
        }
    }

    private void end() {
        tidy();
        Segment open;
        Segment unused;
        synchronized (this) {
            open = current;
            unused = next;
            current = null;
            next = null;
        }
        if (open != null) {
            close(open);
        }
        if (unused != null) {
            close(unused);
            delete(unused.folder());
        }
    }

    private static void close(Segment segment) {
        try {
            segment.close();
        } catch (IOException | RuntimeException | Error e) {
            LOG.warn("{} not closed: {}", segment.folder(), e.toString());
        }
    }

    private static void delete(Path folder) {
        try {
            JournalFolder.delete(folder);
        } catch (IOException e) {
            LOG.warn("{} not removed: {}", folder, e.toString());
        }
    }
}
