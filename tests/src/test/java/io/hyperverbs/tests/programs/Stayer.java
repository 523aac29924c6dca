package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.AddressHandle;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendPoster;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.XrcInitiator;
import io.hyperverbs.verbs.cm.CmChannel;
import io.hyperverbs.verbs.cm.CmConnection;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmParameters;
import io.hyperverbs.verbs.cm.ConnectionManager;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.verbs.sa.JoinState;
import io.hyperverbs.verbs.sa.SubnetAdministration;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Has to do with {@link Hoarder} in every way there is, and prints how each ends when that dies.
 * Argument: its name.
 */
public final class Stayer {
    private static final int RETRIES = 3;
    private static final int BUSY_AFTER = 50;
    private static final int WAITING_SEND = 1000;

    private final Node node = new Node();
    private final String hoarder;
    private final RcQueuePair rc = node.rc("rc");
    private final RcQueuePair waiting = node.rc("without-receives");
    private final RcQueuePair loop = node.rc("loop");
    private final RcQueuePair caller = node.rc("caller");
    private final XrcInitiator initiator = node.closing(node.pd.createXrcInitiator(QpLimits.of(8, 0), node.cq));
    private final UdSender datagrams = new UdSender(node);
    private final SubnetAdministration subnet = SubnetAdministration.of(node.context);
    private final AddressHandle group;
    private final CmChannel channel =
            node.closing(ConnectionManager.of(node.context).createChannel());

    private int srqn;
    private boolean sendWaits = true;

    private Stayer(String hoarder) throws VerbsException {
        this.hoarder = hoarder;
        node.offer("initiator", initiator.qpn());
        int mlid = node.closing(subnet.join(UdReceiver.GROUP, Set.of(JoinState.FULL_MEMBER), UdReceiver.QKEY))
                .record()
                .mlid();
        group = datagrams.ah(AddressAttributes.ofGroup(UdReceiver.GROUP, mlid));
        var _ = node.closing(ConnectionManager.of(node.context).listen(channel, Hoarder.SERVICE, 4));
        Node.connect(loop, node.offered(node.domain.name(), "loop"));
    }

    public static void main(String[] args) throws Exception {
        Stayer stayer = new Stayer(args[0]);
        stayer.node.tell("up", "yes");
        Endpoint hoard = stayer.connect();
        CmConnection out = stayer.call();
        stayer.exchange(hoard);
        var _ = stayer.node.hear("tool", "dead-" + args[0]);
        stayer.seesSilence(hoard);
        stayer.seesItGone(out);
        stayer.node.tell("over", "yes");
        var _ = stayer.node.hear("tool", "end-" + args[0]);
        stayer.goesOn();
        stayer.node.close();
    }

    private Endpoint connect() throws VerbsException {
        Endpoint end = node.offered(hoarder, "rc");
        Node.connect(rc, end, RETRIES);
        Node.connect(waiting, node.offered(hoarder, "without-receives"), RETRIES);
        initiator.modify(QpAttributes.toInit(Set.of()));
        initiator.modify(QpAttributes.toRtr(node.offered(hoarder, "target"))
                .without(QpAttribute.MAX_DEST_RD_ATOMIC)
                .without(QpAttribute.MIN_RNR_TIMER));
        initiator.modify(Node.impatient(RETRIES));
        return end;
    }

    /** Calls, and is called; both calls stay half open. */
    private CmConnection call() throws VerbsException {
        var _ = node.hear(hoarder, "listening");
        CmConnection out =
                node.closing(ConnectionManager.of(node.context).resolve(channel, Destination.guest(hoarder)));
        out.connect(caller, Hoarder.SERVICE, CmParameters.standard().withResponseTimeout(Duration.ofMinutes(1)));
        var _ = node.closing(
                UcCallee.next(channel, CmEvent.Type.CONNECT_REQUEST).connection());
        node.tell("called", "yes");
        var _ = node.hear(hoarder, "ready");
        return out;
    }

    /** Writes through both windows until that fails, over XRC once; a send waits for a receive. */
    private void exchange(Endpoint hoard) throws VerbsException {
        Node.posted(waiting.postSend(
                new SendWorkRequest.Send(WAITING_SEND, SendFlags.SIGNALLED, List.of(node.write(0, "for you")))));
        srqn = Integer.parseInt(node.hear(hoarder, "srqn"));
        int[] rkeys = {window(4), window(5)};
        int writes = 0;
        WorkCompletion found;
        do {
            int slot = writes % 2;
            rc.sends()
                    .start()
                    .rdmaWrite(1, SendFlags.SIGNALLED, hoard.address() + (4 + slot) * Node.SLOT_BYTES, rkeys[slot]);
            found = post(rc.sends());
            if (++writes == BUSY_AFTER) {
                Node.require(overXrc(hoard) == VerbsStatus.SUCCESS, "XRC is silent");
                node.tell("busy", "yes");
            }
        } while (found.status() == VerbsStatus.SUCCESS);
        System.out.println("window: " + found.status());
    }

    private void seesSilence(Endpoint hoard) throws VerbsException {
        System.out.println("XRC: " + overXrc(hoard));
        if (sendWaits) {
            System.out.println("waiting send: " + node.next().status());
        }
    }

    private VerbsStatus overXrc(Endpoint hoard) throws VerbsException {
        initiator
                .sends()
                .start()
                .rdmaWrite(1, SendFlags.SIGNALLED, hoard.address(), hoard.rkey())
                .sharedQueue(srqn);
        return post(initiator.sends()).status();
    }

    private int window(int slot) throws VerbsException {
        return Integer.parseUnsignedInt(node.hear(hoarder, "window-" + slot), 16);
    }

    private WorkCompletion post(SendPoster request) throws VerbsException {
        Sge from = node.slot(0);
        Node.posted(request.sge(from.lkey(), from.address(), from.lengthBytes()).post());
        WorkCompletion found = node.next();
        if (found.wrId() == WAITING_SEND) {
            sendWaits = false;
            System.out.println("waiting send: " + found.status());
            found = node.next();
        }
        return found;
    }

    private void seesItGone(CmConnection out) throws VerbsException {
        for (int i = 0; i < 2; i++) {
            CmEvent event = UcCallee.next(channel, CmEvent.Type.UNREACHABLE);
            System.out.println((event.connection().equals(out) ? "my call: " : "its call: ") + event.status());
        }
        Node.require(channel.await(Duration.ZERO).isEmpty(), "one event more");
        System.out.println(subnet.members(UdReceiver.GROUP).size() + " member");
    }

    /** All that does not lead to the dead goes as before. */
    private void goesOn() throws VerbsException {
        datagrams.send("to nobody", group, UdQueuePair.MULTICAST_QPN, UdReceiver.QKEY);
        Node.posted(loop.postReceive(node.receive(2)));
        Node.posted(
                loop.postSend(new SendWorkRequest.Send(1, SendFlags.SIGNALLED, List.of(node.write(0, "to myself")))));
        Node.require(node.next().status() == VerbsStatus.SUCCESS, "send to itself");
        Node.require(node.next().status() == VerbsStatus.SUCCESS, "receive from itself");
        System.out.println(node.read(2));
    }
}
