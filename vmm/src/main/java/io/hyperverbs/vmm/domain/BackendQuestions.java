package io.hyperverbs.vmm.domain;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.wire.CaptureStartNotice;
import io.hyperverbs.vmm.hypercall.wire.CaptureStopNotice;
import io.hyperverbs.vmm.hypercall.wire.NoticeReply;
import io.hyperverbs.vmm.hypercall.wire.PortSetNotice;
import io.hyperverbs.vmm.hypercall.wire.SessionAskedNotice;
import io.hyperverbs.vmm.hypercall.wire.SessionReportMessage;
import io.hyperverbs.vmm.posix.Fd;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks the backend for what the operator wants of the HCA, and waits for the answer. Any thread. */
final class BackendQuestions {
    private static final int ANSWER_SECONDS = 8;

    private final NoticeQueue notices;

    BackendQuestions(NoticeQueue notices) {
        this.notices = notices;
    }

    void setPort(int port, boolean up) throws MachineException {
        var _ = ask(NoticeReply.newBuilder()
                .setPortSet(PortSetNotice.newBuilder().setPort(port).setUp(up)));
    }

    /** Of the domain with that id. */
    SessionReportMessage describeSession(int domain, int after) throws MachineException {
        SessionAskedNotice.Builder asked =
                SessionAskedNotice.newBuilder().setDomain(domain).setAfter(after);
        return ask(NoticeReply.newBuilder().setSessionAsked(asked)).report();
    }

    /** Has it write what passes the HCA to two rings, whose descriptors are closed once sent. */
    void startCapture(CaptureStartNotice start, List<Fd> rings) throws MachineException {
        var _ = ask(NoticeReply.newBuilder().setCaptureStart(start), rings);
    }

    void stopCapture() throws MachineException {
        var _ = ask(NoticeReply.newBuilder().setCaptureStop(CaptureStopNotice.getDefaultInstance()));
    }

    private NoticeQueue.Acknowledgement ask(NoticeReply.Builder notice) throws MachineException {
        return ask(notice, List.of());
    }

    private NoticeQueue.Acknowledgement ask(NoticeReply.Builder notice, List<Fd> descriptors) throws MachineException {
        try {
            NoticeQueue.Acknowledgement answer =
                    notices.send(notice, descriptors).get(ANSWER_SECONDS, TimeUnit.SECONDS);
            if (answer.status() != VerbsStatus.SUCCESS) {
                throw new MachineException(answer.status(), answer.message());
            }
            return answer;
        } catch (TimeoutException | ExecutionException e) {
            throw new MachineException(VerbsStatus.ETIMEDOUT, "the backend does not answer");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MachineException(VerbsStatus.EINTR, "interrupted");
        }
    }
}
