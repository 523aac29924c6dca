package io.hyperverbs.tests.programs;

import io.hyperverbs.frontend.path.PrivilegedVerbs;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.AddressHandle;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.UcQueuePair;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.XrcInitiator;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import java.lang.reflect.Method;
import java.util.Set;

/**
 * Tries to be or to reach QP0 and QP1, with the driver and around it; prints what it was told.
 * Argument: a guest that receives datagrams.
 */
public final class ManagementProbe {
    /** The well-known Q_Key of QP1 (IBA 10.2.5). */
    private static final int MANAGEMENT_QKEY = 0x8001_0000;

    private final Node node = new Node();

    private ManagementProbe() throws VerbsException {}

    /** Something that may be refused. */
    interface Attempt {
        void run() throws Exception;
    }

    public static void main(String[] args) throws Exception {
        ManagementProbe probe = new ManagementProbe();
        for (int number = 0; number <= 1; number++) {
            probe.makes(number);
            probe.connects(number);
        }
        probe.sends(args[0]);
        probe.node.close();
    }

    private static void attempt(String words, Attempt attempt) throws Exception {
        try {
            attempt.run();
            System.out.println(words + ": done");
        } catch (VerbsException e) {
            System.out.println(words + ": " + e.status());
        }
    }

    /** What the driver has no word for, a guest asks of the backend itself. */
    private void makes(int number) throws Exception {
        PrivilegedVerbs verbs = (PrivilegedVerbs) inside(inside(node.context, "parts"), "verbs");
        long pd = (long) inside(node.pd, "handle");
        long cq = (long) inside(node.cq, "handle");
        attempt("making QP" + number, () -> {
            var _ = verbs.call(
                    new ControlRequest.CreateQp(pd, number, cq, cq, 0, QpLimits.of(1, 1)),
                    ControlReply.QpCreated.class);
        });
    }

    private static Object inside(Object driver, String method) throws ReflectiveOperationException {
        Method accessor = driver.getClass().getDeclaredMethod(method);
        accessor.setAccessible(true);
        return accessor.invoke(driver);
    }

    private void connects(int number) throws Exception {
        Endpoint peer = new Endpoint(node.context.queryPort(1).lid(), number, Peer.PSN, 0, 0, 0);
        var rc = node.rc("end-" + number);
        attempt("RC to QP" + number, () -> Node.connect(rc, peer));
        UcQueuePair uc = UcCallee.queuePair(node);
        attempt("UC to QP" + number, () -> uc.connect(peer, Peer.PSN, Set.of()));
        XrcInitiator xrc = node.closing(node.pd.createXrcInitiator(QpLimits.of(1, 0), node.cq));
        attempt("XRC to QP" + number, () -> xrc.connect(peer, Peer.PSN));
    }

    /** Datagrams leave for anywhere; the last one alone is for somebody. */
    private void sends(String receiver) throws Exception {
        UdQueuePair own = node.closing(node.pd.createUd(QpLimits.of(1, 1), node.cq, node.cq));
        attempt("the Q_Key of QP1", () -> own.modify(QpAttributes.toUdInit(MANAGEMENT_QKEY)));
        UdSender sender = new UdSender(node);
        int qpn = sender.qpnOf(receiver);
        AddressHandle port =
                sender.ah(AddressAttributes.of(node.context.queryPort(1).lid()));
        AddressHandle gid = sender.ah(AddressAttributes.of(node.context.queryGid(1, 0)));
        for (int number = 0; number <= 1; number++) {
            for (AddressHandle ah : new AddressHandle[] {port, gid}) {
                sender.send("to QP" + number, ah, number, UdReceiver.QKEY);
                sender.send("to QP" + number, ah, number, MANAGEMENT_QKEY);
                sender.send("to QP" + number, ah, number, 0);
            }
        }
        sender.send("end", port, qpn, UdReceiver.QKEY);
    }
}
