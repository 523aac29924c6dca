package io.hyperverbs.vmm.domain;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.domain.NoticeQueue.Acknowledgement;
import io.hyperverbs.vmm.domain.NoticeQueue.Sent;
import io.hyperverbs.vmm.hypercall.wire.LinkSetNotice;
import io.hyperverbs.vmm.hypercall.wire.NoticeReply;
import io.hyperverbs.vmm.hypercall.wire.SessionReportMessage;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Tells the HCAs at both ends of a link what happens on it: each impairs what arrives at it, so one of them alone has
 * half of the link. Any thread.
 */
record LinkChange(HcaRecord first, HcaRecord second) {
    /** How long both have to answer. */
    static final int ANSWER_MILLIS = 8_000;

    private static final Acknowledgement SILENT = new Acknowledgement(
            VerbsStatus.ETIMEDOUT, "the backend does not answer", SessionReportMessage.getDefaultInstance());

    /**
     * Sends both the settings, then waits for both.
     *
     * @throws MachineException with the status of the first that failed; its message names each that did, and one that
     *     has the settings
     */
    void set(String settings, int waitMillis) throws MachineException {
        Sent atFirst = send(first, second, settings);
        Sent atSecond = send(second, first, settings);
        try {
            CompletableFuture.allOf(atFirst, atSecond).get(waitMillis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // Who has not answered by now counts as silent.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MachineException(VerbsStatus.EINTR, "interrupted");
        }
        Acknowledgement one = atFirst.getNow(SILENT);
        Acknowledgement other = atSecond.getNow(SILENT);
        List<Acknowledgement> failed = List.of(one, other).stream()
                .filter(answer -> answer.status() != VerbsStatus.SUCCESS)
                .toList();
        if (!failed.isEmpty()) {
            throw new MachineException(failed.getFirst().status(), words(first, one) + "; " + words(second, other));
        }
    }

    private static Sent send(HcaRecord hca, HcaRecord neighbour, String settings) {
        LinkSetNotice.Builder set =
                LinkSetNotice.newBuilder().setNeighbour(neighbour.name()).setSettings(settings);
        return hca.notices().send(NoticeReply.newBuilder().setLinkSet(set), List.of());
    }

    private static String words(HcaRecord hca, Acknowledgement answer) {
        return hca.name() + ": " + (answer.status() == VerbsStatus.SUCCESS ? "has the new settings" : answer.message());
    }
}
