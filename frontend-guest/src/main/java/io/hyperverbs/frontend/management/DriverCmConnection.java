package io.hyperverbs.frontend.management;

import io.hyperverbs.frontend.tree.VerbsNode;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.QueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmConnection;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.verbs.cm.CmParameters;
import io.hyperverbs.verbs.sa.PathRecord;
import io.hyperverbs.vmm.io.CmNotice;
import io.hyperverbs.vmm.io.ManagementRequest;
import io.hyperverbs.vmm.io.ManagementRequest.Answer;
import java.security.SecureRandom;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One end of a connection. Any thread. */
final class DriverCmConnection extends VerbsNode implements CmConnection {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int PSN_LIMIT = 1 << 24;

    private final DriverCmChannel channel;
    private final ManagementCalls verbs;
    private final long handle;
    private final String guest;
    private final PathRecord path;
    private @Nullable QpTransitions transitions;
    private @Nullable CmOffer request;

    DriverCmConnection(DriverCmChannel channel, long handle, String guest, PathRecord path) {
        this.channel = channel;
        this.verbs = channel.verbs();
        this.handle = handle;
        this.guest = guest;
        this.path = path;
    }

    void attach() throws VerbsException {
        dependOn(channel);
    }

    long handle() {
        return handle;
    }

    @Override
    public String guest() {
        return guest;
    }

    @Override
    public synchronized void connect(QueuePair qp, long serviceId, CmParameters parameters) throws VerbsException {
        QpTransitions before = transitions;
        QpTransitions now = begin(qp, parameters, true);
        try {
            if (now.byLibrary()) {
                now.toInit();
            }
            verbs.call(new ManagementRequest.Connect(
                    handle, serviceId, now.own(), parameters.responseTimeout().toNanos(), parameters.privateData()));
        } catch (VerbsException e) {
            transitions = before;
            throw e;
        }
    }

    @Override
    public synchronized void accept(QueuePair qp, CmParameters parameters) throws VerbsException {
        CmOffer asked = request;
        if (asked == null) {
            throw new VerbsException(VerbsStatus.EINVAL, "no REQ waits for an answer");
        }
        if (asked.type() != qp.type()) {
            // Before the queue pair is moved; the backend looks too.
            throw new VerbsException(VerbsStatus.EINVAL, qp.type() + " queue pair for a call of " + asked.type());
        }
        QpTransitions before = transitions;
        QpTransitions now = begin(qp, parameters, false);
        now.peer(asked);
        try {
            if (now.byLibrary()) {
                now.toRts();
            }
            verbs.call(new ManagementRequest.Accept(
                    handle, now.own(), parameters.responseTimeout().toNanos(), parameters.privateData()));
            request = null;
        } catch (VerbsException e) {
            transitions = before;
            throw e;
        }
    }

    @Override
    public void reject(PrivateData data) throws VerbsException {
        answer(Answer.Kind.REJ, data);
    }

    @Override
    public void establish(PrivateData data) throws VerbsException {
        answer(Answer.Kind.RTU, data);
    }

    @Override
    public synchronized void disconnect(PrivateData data) throws VerbsException {
        answer(Answer.Kind.DISCONNECT, data);
        QpTransitions now = transitions;
        if (now != null && now.byLibrary()) {
            now.qp().modify(QpAttributes.to(QpState.ERR));
        }
    }

    @Override
    public synchronized QpAttributes attributes(QpState state) throws VerbsException {
        QpTransitions now = transitions;
        if (now != null) {
            return now.attributes(state);
        }
        if (state != QpState.INIT) {
            throw new VerbsException(VerbsStatus.EINVAL, "not connected to a queue pair");
        }
        return QpAttributes.toInit(Set.of()).with(QpAttribute.PKEY_INDEX, pkeyIndex());
    }

    @Override
    public String describe() {
        return "connection to " + guest;
    }

    @Override
    protected void destroy() throws VerbsException {
        verbs.release(handle);
        channel.forget(this);
    }

    /** In the thread that waits for events; moves the queue pair where the library is to. */
    synchronized CmEvent happened(CmNotice notice) {
        QpTransitions now = transitions;
        if (notice.type() == CmEvent.Type.CONNECT_REQUEST) {
            request = notice.offer();
        }
        if (notice.type() != CmEvent.Type.CONNECT_RESPONSE || now == null) {
            return event(notice, notice.type(), notice.status());
        }
        now.peer(notice.offer());
        if (!now.byLibrary()) {
            return event(notice, notice.type(), notice.status());
        }
        try {
            now.toRts();
            answer(Answer.Kind.RTU, PrivateData.none());
            return event(notice, CmEvent.Type.ESTABLISHED, VerbsStatus.SUCCESS);
        } catch (VerbsException e) {
            return event(notice, CmEvent.Type.CONNECT_ERROR, rejected(e.status()));
        }
    }

    private VerbsStatus rejected(VerbsStatus why) {
        try {
            answer(Answer.Kind.REJ, PrivateData.none());
        } catch (VerbsException e) {
            // The connection is over already, which its own event says.
        }
        return why;
    }

    private QpTransitions begin(QueuePair qp, CmParameters parameters, boolean caller) throws VerbsException {
        if (qp.type() != QpType.RC && qp.type() != QpType.UC) {
            throw new VerbsException(VerbsStatus.EINVAL, qp.type() + " queue pairs do not connect");
        }
        CmOffer own = new CmOffer(
                qp.type(),
                qp.qpn(),
                RANDOM.nextInt(PSN_LIMIT),
                parameters.responderResources(),
                parameters.initiatorDepth(),
                parameters.retryCount(),
                parameters.rnrRetryCount(),
                parameters.ackTimeout());
        QpTransitions begun = new QpTransitions(qp, parameters, own, path, pkeyIndex(), caller);
        transitions = begun;
        return begun;
    }

    private int pkeyIndex() throws VerbsException {
        return verbs.pkeys().of(path.pkey());
    }

    private void answer(Answer.Kind kind, PrivateData data) throws VerbsException {
        verbs.call(new ManagementRequest.Answer(handle, kind, data));
    }

    private CmEvent event(CmNotice notice, CmEvent.Type type, VerbsStatus status) {
        return new CmEvent(
                type,
                this,
                notice.serviceId(),
                status,
                notice.reject(),
                notice.guest(),
                notice.gid(),
                notice.offer(),
                notice.data());
    }
}
