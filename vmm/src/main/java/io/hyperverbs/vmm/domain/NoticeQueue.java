package io.hyperverbs.vmm.domain;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.HypercallConnection;
import io.hyperverbs.vmm.hypercall.wire.HypercallReply;
import io.hyperverbs.vmm.hypercall.wire.NoticeReply;
import io.hyperverbs.vmm.hypercall.wire.SessionReportMessage;
import io.hyperverbs.vmm.posix.Fd;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Notices on their way to the backend domain, and their acknowledgements on the way back. Callable
 * from any thread.
 */
final class NoticeQueue {
    /** The backend's answer; the report is empty where none was asked for. */
    record Acknowledgement(VerbsStatus status, String message, SessionReportMessage report) {}

    private record Waiting(HypercallConnection backend, long call) {}

    private record Notice(NoticeReply reply, List<Fd> descriptors) {}

    private final ArrayDeque<Waiting> askers = new ArrayDeque<>();
    private final ArrayDeque<Notice> notices = new ArrayDeque<>();
    private final Map<Long, CompletableFuture<Acknowledgement>> unacknowledged = new HashMap<>();
    private long lastNotice;
    private boolean lost;

    /**
     * Sends a notice.
     *
     * @param notice without its number
     * @param descriptors closed once sent, or never to be
     * @return the acknowledgement; EIO if the backend is lost
     */
    CompletableFuture<Acknowledgement> send(NoticeReply.Builder notice, List<Fd> descriptors) {
        CompletableFuture<Acknowledgement> acknowledgement = new CompletableFuture<>();
        synchronized (this) {
            if (!lost) {
                notice.setNotice(++lastNotice);
                unacknowledged.put(lastNotice, acknowledgement);
                notices.add(new Notice(notice.build(), descriptors));
                deliver();
                return acknowledgement;
            }
        }
        descriptors.forEach(Fd::close);
        acknowledgement.complete(backendLost());
        return acknowledgement;
    }

    /** The backend asks for the next notice. */
    synchronized void ask(HypercallConnection backend, long call) {
        askers.add(new Waiting(backend, call));
        deliver();
    }

    private void deliver() {
        while (!askers.isEmpty() && !notices.isEmpty()) {
            Waiting asker = askers.remove();
            Notice notice = notices.remove();
            asker.backend()
                    .reply(
                            HypercallReply.newBuilder()
                                    .setId(asker.call())
                                    .setNotice(notice.reply()),
                            notice.descriptors());
        }
    }

    /** False if there is no such notice. */
    boolean acknowledge(long notice, Acknowledgement answer) {
        @Nullable CompletableFuture<Acknowledgement> waiting;
        synchronized (this) {
            waiting = unacknowledged.remove(notice);
        }
        return waiting != null && waiting.complete(answer);
    }

    /** The backend is gone: nobody acknowledges any more. */
    void backendGone() {
        List<CompletableFuture<Acknowledgement>> waiting;
        synchronized (this) {
            lost = true;
            notices.forEach(notice -> notice.descriptors().forEach(Fd::close));
            notices.clear();
            askers.clear();
            waiting = new ArrayList<>(unacknowledged.values());
            unacknowledged.clear();
        }
        waiting.forEach(one -> one.complete(backendLost()));
    }

    private static Acknowledgement backendLost() {
        return new Acknowledgement(
                VerbsStatus.EIO,
                "the backend domain is gone",
                SessionReportMessage.getDefaultInstance());
    }
}
