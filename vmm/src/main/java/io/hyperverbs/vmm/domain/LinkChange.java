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
 * Tells HCAs at the ends of a link what happens on it: each impairs what arrives at it, so one of them alone has half of
 * the link. The end on another host is told by that host's VMM. Any thread.
 */
record LinkChange(List<End> ends) {
    /** An HCA of this machine, and the name of the HCA at the other end. */
    record End(HcaRecord hca, String neighbour) {}

    /** How long all have to answer. */
    static final int ANSWER_MILLIS = 8_000;

    private static final Acknowledgement SILENT = new Acknowledgement(
            VerbsStatus.ETIMEDOUT, "the backend does not answer", SessionReportMessage.getDefaultInstance());

    LinkChange {
        ends = List.copyOf(ends);
    }

    /** Of a link between two HCAs of this machine. */
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
        VerbsStatus failed = VerbsStatus.SUCCESS;
        List<String> words = new ArrayList<>();
        for (int i = 0; i < ends.size(); i++) {
            Acknowledgement answer = sent.get(i).getNow(SILENT);
            words.add(words(ends.get(i).hca(), answer));
            failed = failed == VerbsStatus.SUCCESS ? answer.status() : failed;
        }
        if (failed != VerbsStatus.SUCCESS) {
            throw new MachineException(failed, String.join("; ", words));
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
