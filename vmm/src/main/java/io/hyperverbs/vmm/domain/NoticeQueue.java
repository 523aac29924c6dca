package io.hyperverbs.vmm.domain;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.HypercallConnection;
import io.hyperverbs.vmm.hypercall.wire.HypercallReply;
import io.hyperverbs.vmm.hypercall.wire.NoticeReply;
import io.hyperverbs.vmm.hypercall.wire.SessionReportMessage;
import io.hyperverbs.vmm.posix.Fd;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Notices on their way to the backend domain, and their acknowledgements on the way back. Callable
 * from any thread.
 */
final class NoticeQueue {
    /** The backend's answer; the report is empty where none was asked for. */
    record Acknowledgement(VerbsStatus status, String message, SessionReportMessage report) {
        /** Whether the backend gives no answer because it is gone, and with it all that it had. */
        @SuppressWarnings("ReferenceEquality") // That one answer, which no backend can give.
        boolean isBackendLost() {
            return this == BACKEND_LOST;
        }
    }

    /** The acknowledgement to come of one notice. */
    static final class Sent extends CompletableFuture<Acknowledgement> {
        private volatile boolean taken;
        private volatile long sinceNanos;

        private Sent(long nowNanos) {
            sinceNanos = nowNanos;
        }

        private void take(long nowNanos) {
            sinceNanos = nowNanos;
            taken = true;
        }

        /** Whether the backend has it. */
        boolean isTaken() {
            return taken;
        }

        /** How long the backend has had it; before it took it, how long it has waited for that. */
        long nanosWaiting(long nowNanos) {
            return nowNanos - sinceNanos;
        }
    }

    private static final Acknowledgement BACKEND_LOST = new Acknowledgement(
            VerbsStatus.EIO, "the backend domain is gone", SessionReportMessage.getDefaultInstance());

    private record Waiting(HypercallConnection backend, long call) {}

    private record Notice(NoticeReply reply, List<Fd> descriptors, Sent sent) {}

    private final LongSupplier nanoTime;

    private final ArrayDeque<Waiting> askers = new ArrayDeque<>();
    private final ArrayDeque<Notice> notices = new ArrayDeque<>();
    private final Map<Long, Sent> unacknowledged = new HashMap<>();
    private long lastNotice;
    private boolean lost;
    private long lastSignNanos;

    /** {@code nanoTime} is the clock of {@link Sent#nanosWaiting} and {@link #lastSignNanos}. */
    NoticeQueue(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.lastSignNanos = nanoTime.getAsLong();
    }

    /**
     * Sends a notice.
     *
     * @param notice without its number
     * @param descriptors closed once sent, or never to be
     * @return the acknowledgement; EIO if the backend is lost
     */
    Sent send(NoticeReply.Builder notice, List<Fd> descriptors) {
        Sent acknowledgement = new Sent(nanoTime.getAsLong());
        synchronized (this) {
            if (!lost) {
                notice.setNotice(++lastNotice);
                unacknowledged.put(lastNotice, acknowledgement);
                notices.add(new Notice(notice.build(), descriptors, acknowledgement));
                deliver();
                return acknowledgement;
            }
        }
        descriptors.forEach(Fd::close);
        acknowledgement.complete(BACKEND_LOST);
        return acknowledgement;
    }

    /** The backend asks for the next notice. */
    synchronized void ask(HypercallConnection backend, long call) {
        lastSignNanos = nanoTime.getAsLong();
        askers.add(new Waiting(backend, call));
        deliver();
    }

    private void deliver() {
        while (!askers.isEmpty() && !notices.isEmpty()) {
            Waiting asker = askers.remove();
            Notice notice = notices.remove();
            notice.sent().take(nanoTime.getAsLong());
            asker.backend()
                    .reply(
                            HypercallReply.newBuilder().setId(asker.call()).setNotice(notice.reply()),
                            notice.descriptors());
        }
    }

    /** False if there is no such notice. */
    boolean acknowledge(long notice, Acknowledgement answer) {
        @Nullable Sent waiting;
        synchronized (this) {
            lastSignNanos = nanoTime.getAsLong();
            waiting = unacknowledged.remove(notice);
        }
        return waiting != null && waiting.complete(answer);
    }

    /** When the backend last asked for a notice or acknowledged one. */
    synchronized long lastSignNanos() {
        return lastSignNanos;
    }

    /** The backend is gone: nobody acknowledges any more. */
    void backendGone() {
        List<Sent> waiting;
        synchronized (this) {
            lost = true;
            notices.forEach(notice -> notice.descriptors().forEach(Fd::close));
            notices.clear();
            askers.clear();
            waiting = new ArrayList<>(unacknowledged.values());
            unacknowledged.clear();
        }
        waiting.forEach(one -> one.complete(BACKEND_LOST));
    }
}
