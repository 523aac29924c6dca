package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Pattern;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PortAttributes;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Ports, their tables, and which queue pairs reach each other through them. */
@CaseGroup("port")
public final class PortCases {
    private PortCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        for (Operation operation : List.of(Operation.SEND, Operation.WRITE, Operation.READ)) {
            addRoutes(cases, operation);
            addPartitions(cases, operation);
        }
    }

    private static void addRoutes(CaseList cases, Operation operation) {
        cases.add(
                operation.label() + "-through-last-port",
                "queue pairs of the last port reach each other by its LID",
                rig -> reaches(rig, operation, lastPort(rig), lastPort(rig)));
        cases.add(
                operation.label() + "-from-port-to-port",
                "queue pairs of two ports reach each other by LID",
                rig -> reaches(rig, operation, 1, lastPort(rig)));
        cases.add(
                operation.label() + "-to-the-other-port",
                "a message to a port that its queue pair is not at: RETRY_EXC_ERR",
                rig -> misses(rig, operation));
    }

    private static void addPartitions(CaseList cases, Operation operation) {
        cases.add(
                operation.label() + "-full-to-limited",
                "a full and a limited member of a partition reach each other (IBA 10.9.3)",
                rig -> partition(rig, operation, 0x8001, 0x0001, true));
        cases.add(
                operation.label() + "-full-to-full",
                "full members of a partition reach each other (IBA 10.9.3)",
                rig -> partition(rig, operation, 0x8001, 0x8001, true));
        cases.add(
                operation.label() + "-limited-to-limited",
                "limited members do not reach each other: RETRY_EXC_ERR (IBA 10.9.3)",
                rig -> partition(rig, operation, 0x0001, 0x0001, false));
        cases.add(
                operation.label() + "-to-another-partition",
                "members of two partitions do not reach each other: RETRY_EXC_ERR (IBA 10.9.3)",
                rig -> partition(rig, operation, 0xffff, 0x8001, false));
    }

    private static int lastPort(Rig rig) throws VerbsException {
        return rig.context().queryDevice().portCount();
    }

    private static int lid(Rig rig, int port) throws VerbsException {
        return rig.context().queryPort(port).lid();
    }

    private static int beyond(Context context) throws VerbsException {
        return context.queryDevice().portCount() + 1;
    }

    @Case("every port of phys_port_cnt is active and has a LID of its own (ibv_query_port)")
    static void lidsDiffer(Rig rig) throws VerbsException {
        Context context = rig.context();
        Set<Integer> lids = new HashSet<>();
        for (int port = 1; port < beyond(context); port++) {
            PortAttributes attributes = context.queryPort(port);
            Expect.isTrue(attributes.active(), "port " + port + " is " + attributes.state());
            Expect.isTrue(lids.add(attributes.lid()), "two ports have LID " + attributes.lid());
        }
    }

    @Case("entry 0 of each GID table is the port's own (ibv_query_gid)")
    static void gidsDiffer(Rig rig) throws VerbsException {
        Context context = rig.context();
        Set<Gid> gids = new HashSet<>();
        for (int port = 1; port < beyond(context); port++) {
            PortAttributes attributes = context.queryPort(port);
            Gid gid = context.queryGid(port, 0);
            Expect.equal(
                    new Gid(attributes.gidPrefix(), attributes.gidInterface()),
                    gid,
                    "entry 0 of the GID table of port " + port);
            Expect.isTrue(!gid.isZero() && gids.add(gid), "two ports have GID " + gid);
        }
    }

    @Case("an index or port that is not there: EINVAL (ibv_query_gid)")
    static void noSuchGid(Rig rig) throws VerbsException {
        Context context = rig.context();
        int length = context.queryPort(1).gidTableLength();
        for (int index : new int[] {-1, length, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            Expect.refused(VerbsStatus.EINVAL, "GID " + index, () -> context.queryGid(1, index));
        }
        for (int port : new int[] {0, -1, beyond(context)}) {
            Expect.refused(VerbsStatus.EINVAL, "GID of port " + port, () -> context.queryGid(port, 0));
        }
    }

    @Case("every entry of the P_Key table names a partition (ibv_query_pkey)")
    static void pkeysArePartitions(Rig rig) throws VerbsException {
        Context context = rig.context();
        for (int port = 1; port < beyond(context); port++) {
            PortAttributes attributes = context.queryPort(port);
            Expect.equal(attributes.pkey(), context.queryPkey(port, 0), "P_Key 0");
            for (int i = 0; i < attributes.pkeyTableLength(); i++) {
                int pkey = context.queryPkey(port, i);
                Expect.isTrue(
                        pkey > 0 && pkey <= 0xffff && (pkey & 0x7fff) != 0,
                        "P_Key " + i + " is 0x" + Integer.toHexString(pkey));
            }
        }
    }

    @Case("an index or port that is not there: EINVAL (ibv_query_pkey)")
    static void noSuchPkey(Rig rig) throws VerbsException {
        Context context = rig.context();
        int length = context.queryPort(1).pkeyTableLength();
        for (int index : new int[] {-1, length, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            Expect.refused(VerbsStatus.EINVAL, "P_Key " + index, () -> context.queryPkey(1, index));
        }
        for (int port : new int[] {0, -1, beyond(context)}) {
            Expect.refused(VerbsStatus.EINVAL, "P_Key of port " + port, () -> context.queryPkey(port, 0));
        }
    }

    @Case("a path MTU above the port's active MTU: EINVAL: choice")
    static void mtuAboveActive(Rig rig) throws VerbsException {
        Side side = QpStates.in(rig, QpState.INIT);
        QpAttributes rtr = QpAttributes.toRtr(side.endpoint());
        for (int mtu = 4096; mtu > rig.context().queryPort(1).activeMtuBytes(); mtu /= 2) {
            int above = mtu;
            Expect.refused(
                    VerbsStatus.EINVAL,
                    "path MTU " + above,
                    () -> side.qp().modify(rtr.with(QpAttribute.PATH_MTU, above)));
        }
        side.expectState(QpState.INIT);
        side.qp().modify(rtr);
    }

    @Case("ibv_query_qp gives port and P_Key index back")
    static void queuePairTellsItsPort(Rig rig) throws VerbsException {
        int port = lastPort(rig);
        int index = rig.context().queryPort(port).pkeyTableLength() - 1;
        Side side = rig.side(SideOptions.standard().with(QpAttribute.PORT, port).with(QpAttribute.PKEY_INDEX, index));

        side.toInit();

        Expect.equal((long) port, side.qp().query().get(QpAttribute.PORT), "port");
        Expect.equal((long) index, side.qp().query().get(QpAttribute.PKEY_INDEX), "P_Key index");
    }

    private static void reaches(Rig rig, Operation operation, int from, int to) throws VerbsException {
        SideOptions options = SideOptions.standard();
        passes(
                rig.pair(
                        options.with(QpAttribute.PORT, from).with(QpAttribute.AV, lid(rig, to)),
                        options.with(QpAttribute.PORT, to).with(QpAttribute.AV, lid(rig, from))),
                operation);
    }

    private static void misses(Rig rig, Operation operation) throws VerbsException {
        int last = lastPort(rig);
        Expect.isTrue(last > 1, "the device has one port only");
        // The responder is at port 1; its LID would be right, the other port's is not.
        Rig.Pair pair = rig.pair(SideOptions.impatient().with(QpAttribute.AV, lid(rig, last)), SideOptions.standard());
        fails(pair, operation);
    }

    /** The index of a P_Key in the table of port 1. */
    private static int indexOf(Context context, int pkey) throws VerbsException {
        for (int i = 0; i < context.queryPort(1).pkeyTableLength(); i++) {
            if (context.queryPkey(1, i) == pkey) {
                return i;
            }
        }
        throw new AssertionError("port 1 has no P_Key 0x" + Integer.toHexString(pkey));
    }

    private static void partition(Rig rig, Operation operation, int from, int to, boolean reaches)
            throws VerbsException {
        Context context = rig.context();
        int requester = indexOf(context, from);
        int responder = indexOf(context, to);
        SideOptions options = SideOptions.impatient();
        Rig.Pair pair = rig.pair(
                options.with(QpAttribute.PKEY_INDEX, requester), options.with(QpAttribute.PKEY_INDEX, responder));
        if (reaches) {
            passes(pair, operation);
        } else {
            fails(pair, operation);
        }
    }

    private static void passes(Rig.Pair pair, Operation operation) throws VerbsException {
        Side requester = pair.requester();
        Side responder = pair.responder();
        if (operation == Operation.SEND) {
            Transfers.sends(pair, 64);
            return;
        }
        Pattern.fill(requester.buffer(), 0, 64, 5);
        Pattern.fill(responder.buffer(), 0, 64, 6);
        requester.post(operation.request(1, responder, 0, requester.sge(0, 64)));
        requester.sent(1, VerbsStatus.SUCCESS);
        boolean reads = operation == Operation.READ;
        Pattern.expect(reads ? requester.buffer() : responder.buffer(), 0, 64, reads ? 6 : 5, "the data");
    }

    private static void fails(Rig.Pair pair, Operation operation) throws VerbsException {
        Side requester = pair.requester();
        Side responder = pair.responder();
        responder.receive(9, responder.sge(0, 64));
        Pattern.blank(responder.buffer());
        requester.post(operation.request(1, responder, 0, requester.sge(0, 64)));
        requester.sent(1, VerbsStatus.RETRY_EXC_ERR);
        requester.expectState(QpState.ERR);
        responder.expectState(QpState.RTS);
        responder.receives().pollsEmpty();
        Pattern.expectBlank(responder.buffer(), 0, 64, "responder's memory");
    }

    @Case("messages dropped for their P_Key count at the port they came to (bad_pkey_cntr)")
    static void badPkeysCounted(Rig rig) throws VerbsException {
        Context context = rig.context();
        int limited = indexOf(context, 0x0001);
        SideOptions options = SideOptions.impatient().with(QpAttribute.PKEY_INDEX, limited);
        int before = context.queryPort(1).badPkeys();

        fails(rig.pair(options, options), Operation.WRITE);

        Expect.isTrue(context.queryPort(1).badPkeys() > before, "bad_pkey_cntr is still " + before);
    }
}
