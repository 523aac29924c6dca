package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SharedReceiveQueue;
import io.hyperverbs.verbs.SrqLimits;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.WindowBinding;
import io.hyperverbs.verbs.XrcDomain;
import io.hyperverbs.verbs.XrcTarget;
import io.hyperverbs.verbs.cm.CmChannel;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmParameters;
import io.hyperverbs.verbs.cm.ConnectionManager;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.verbs.sa.JoinState;
import io.hyperverbs.verbs.sa.SubnetAdministration;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Takes some of everything there is and waits to be killed: bound windows, groups with an attached
 * queue pair, shared queues with receives and without, an XRC target, a listener and calls that
 * nobody answers. Argument: the guest it does so with.
 */
public final class Hoarder {
    static final long SERVICE = 0x4856_484f;

    private static final int RECEIVES = 8;

    private final Node node = new Node();
    private final String peer;

    private Hoarder(String peer) throws VerbsException {
        this.peer = peer;
    }

    public static void main(String[] args) throws Exception {
        Hoarder hoarder = new Hoarder(args[0]);
        hoarder.bindWindows(hoarder.end("rc", RECEIVES));
        var _ = hoarder.end("without-receives", 0);
        hoarder.joinGroups();
        hoarder.openTarget();
        CmChannel channel = hoarder.callAndListen();
        hoarder.node.tell("ready", "yes");
        // Only its death ends this.
        channel.await(Duration.ofMinutes(2));
        throw new IllegalStateException("still alive");
    }

    /** A queue pair on a shared queue of its own with so many receives. */
    private RcQueuePair end(String label, int receives) throws VerbsException {
        SharedReceiveQueue srq = node.pd.createSrq(new SrqLimits(RECEIVES, 1));
        for (int i = 0; i < receives; i++) {
            Node.posted(srq.postReceive(node.receive(i)));
        }
        RcQueuePair qp = node.pd.createRc(QpLimits.of(16, 0), node.cq, node.cq, srq);
        node.offer(label, qp.qpn());
        Node.connect(qp, node.offered(peer, label));
        return qp;
    }

    private void bindWindows(RcQueuePair qp) throws VerbsException {
        for (int slot = 4; slot < 6; slot++) {
            MemoryWindow window = node.pd.allocateWindow(MemoryWindow.Type.TWO);
            Node.posted(qp.sends()
                    .start()
                    .bindWindow(
                            slot,
                            SendFlags.SIGNALLED,
                            window,
                            0x5a,
                            new WindowBinding(
                                    node.region,
                                    node.region.address() + slot * Node.SLOT_BYTES,
                                    Node.SLOT_BYTES,
                                    EnumSet.of(Access.REMOTE_WRITE)))
                    .post());
            var _ = node.done(slot);
            node.tell("window-" + slot, Integer.toHexString(window.rkey()));
        }
    }

    private void joinGroups() throws VerbsException {
        UdQueuePair qp = UdReceiver.activated(node);
        Node.posted(qp.postReceive(List.of(node.receive(1), node.receive(2))));
        Gid known = UdReceiver.GROUP;
        for (Gid group : List.of(known, new Gid(known.prefix(), known.interfaceId() + 1))) {
            int mlid = SubnetAdministration.of(node.context)
                    .join(group, Set.of(JoinState.FULL_MEMBER), UdReceiver.QKEY)
                    .record()
                    .mlid();
            qp.attachMulticast(group, mlid);
            var _ = node.pd.createAh(AddressAttributes.ofGroup(group, mlid));
        }
    }

    private void openTarget() throws VerbsException {
        XrcDomain domain = node.context.openXrcDomain();
        SharedReceiveQueue srq = domain.createSrq(node.pd, new SrqLimits(RECEIVES, 1), node.cq);
        Node.posted(srq.postReceive(node.receive(3)));
        XrcTarget target = domain.createTarget();
        target.connect(node.offered(peer, "initiator"), Peer.ALL);
        node.tell("srqn", Integer.toString(srq.srqn()));
        node.offer("target", target.qpn());
    }

    /** Calls twice, and is called once; nobody answers. */
    private CmChannel callAndListen() throws VerbsException {
        CmChannel channel = ConnectionManager.of(node.context).createChannel();
        var _ = ConnectionManager.of(node.context).listen(channel, SERVICE, 1);
        node.tell("listening", "yes");
        call(channel);
        var _ = UcCallee.next(channel, CmEvent.Type.CONNECT_REQUEST);
        var _ = node.hear(peer, "called");
        call(channel);
        return channel;
    }

    private void call(CmChannel channel) throws VerbsException {
        ConnectionManager.of(node.context)
                .resolve(channel, Destination.guest(peer))
                .connect(
                        node.pd.createRc(QpLimits.of(1, 1), node.cq, node.cq),
                        SERVICE,
                        CmParameters.standard().withResponseTimeout(Duration.ofMinutes(1)));
    }
}
