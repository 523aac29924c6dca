package io.hyperverbs.frontend.driver;

import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.ReceivePoster;
import io.hyperverbs.verbs.ReceiveWorkRequest;
import io.hyperverbs.verbs.SendPoster;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WindowBinding;
import io.hyperverbs.verbs.XrcInitiator;
import java.util.List;

/** An initiator of XRC: the sending half of a queue pair. Threads as with that. */
final class DriverXrcInitiator implements XrcInitiator {
    private final DriverRcQp qp;

    private DriverXrcInitiator(DriverRcQp qp) {
        this.qp = qp;
    }

    static DriverXrcInitiator create(DriverPd pd, QpLimits limits, DriverCq sendCq) throws VerbsException {
        QpLimits sendOnly =
                new QpLimits(limits.sendWr(), 0, limits.sendSge(), 1, limits.inlineBytes(), limits.allSignalled());
        return new DriverXrcInitiator(DriverRcQp.create(QpType.XRC_SEND, pd, sendOnly, sendCq, sendCq, null));
    }

    @Override
    public ProtectionDomain pd() {
        return qp.pd();
    }

    @Override
    public int qpn() {
        return qp.qpn();
    }

    @Override
    public void modify(QpAttributes attributes) throws VerbsException {
        qp.modify(attributes);
    }

    @Override
    public QpAttributes query() throws VerbsException {
        return qp.query();
    }

    @Override
    public QpLimits limits() {
        return qp.limits();
    }

    @Override
    public VerbsStatus postSend(List<? extends SendWorkRequest> requests) {
        return qp.postSend(requests);
    }

    @Override
    public VerbsStatus bind(long wrId, int flags, MemoryWindow window, WindowBinding binding) {
        return qp.bind(wrId, flags, window, binding);
    }

    @Override
    public VerbsStatus postReceive(List<ReceiveWorkRequest> requests) {
        return qp.postReceive(requests);
    }

    @Override
    public String explainPost() {
        return qp.explainPost();
    }

    @Override
    public SendPoster sends() {
        return qp.sends();
    }

    @Override
    public ReceivePoster receives() {
        return qp.receives();
    }

    @Override
    public String describe() {
        return qp.describe();
    }

    @Override
    public void close() throws VerbsException {
        qp.close();
    }
}
