package io.hyperverbs.vmm.domain;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.domain.NoticeQueue.Acknowledgement;
import io.hyperverbs.vmm.domain.NoticeQueue.Sent;
import io.hyperverbs.vmm.hypercall.wire.LinkSetNotice;
import io.hyperverbs.vmm.hypercall.wire.NoticeReply;
import io.hyperverbs.vmm.hypercall.wire.SessionReportMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Tells the HCAs at both ends of a link what happens on it: each impairs what arrives at it, so one of them alone has
 * half of the link. Any thread.
 *
 * @param ends those of this machine: both, or one if the other is on another host
 */
record LinkChange(List<End> ends) {
    /** How long both have to answer. */
    static final int ANSWER_MILLIS = 8_000;

    private static final Acknowledgement SILENT = new Acknowledgement(
            VerbsStatus.ETIMEDOUT, "the backend does not answer", SessionReportMessage.getDefaultInstance());

    /**
     * An HCA, and what it calls the other end.
     *
     * @param neighbour name of the other HCA
     */
    record End(HcaRecord hca, String neighbour) {}

    LinkChange {
        ends = List.copyOf(ends);
    }

    /** Of a link whose ends are both here. */
    LinkChange(HcaRecord first, HcaRecord second) {
        this(List.of(new End(first, second.name()), new End(second, first.name())));
    }

    /**
     * Sends all ends the settings, then waits for all.
     *
     * @throws MachineException with the status of the first that failed; its message names each that did, and one that
     *     has the settings
     */
    void set(String settings, int waitMillis) throws MachineException {
        List<Sent> sent = ends.stream().map(end -> send(end, settings)).toList();
        try {
            CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)).get(waitMillis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // Who has not answered by now counts as silent.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MachineException(VerbsStatus.EINTR, "interrupted");
        }
        List<String> words = new ArrayList<>();
        VerbsStatus status = VerbsStatus.SUCCESS;
        for (int i = 0; i < ends.size(); i++) {
            Acknowledgement answer = sent.get(i).getNow(SILENT);
            status = status == VerbsStatus.SUCCESS ? answer.status() : status;
            words.add(words(ends.get(i).hca(), answer));
        }
        if (status != VerbsStatus.SUCCESS) {
            throw new MachineException(status, String.join("; ", words));
        }
    }

    private static Sent send(End end, String settings) {
        LinkSetNotice.Builder set =
                LinkSetNotice.newBuilder().setNeighbour(end.neighbour()).setSettings(settings);
        return end.hca().notices().send(NoticeReply.newBuilder().setLinkSet(set), List.of());
    }

    private static String words(HcaRecord hca, Acknowledgement answer) {
        return hca.name() + ": " + (answer.status() == VerbsStatus.SUCCESS ? "has the new settings" : answer.message());
    }
}
