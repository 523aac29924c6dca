package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Pattern;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.List;

/** Keys that must open nothing: stale, guessed, of another PD, of the other kind. */
@CaseGroup("mr")
public final class KeyCases {
    private static final int BYTES = 8;

    private KeyCases() {}

    /** A key that is wrong, made out of a pair. */
    private interface WrongKey {
        int of(Rig rig, Rig.Pair pair) throws VerbsException;
    }

    @CaseFamily
    static void families(CaseList cases) {
        for (Operation operation : Operation.remote()) {
            addRemote(cases, operation, "stale-rkey", KeyCases::staleRkey);
            addRemote(cases, operation, "rkey-of-another-pd", KeyCases::rkeyOfAnotherPd);
        }
        addRemote(cases, Operation.WRITE, "rkey-zero", (rig, pair) -> 0);
        addRemote(cases, Operation.WRITE, "rkey-all-ones", (rig, pair) -> -1);
        addRemote(
                cases,
                Operation.WRITE,
                "lkey-as-rkey",
                (rig, pair) -> pair.responder().region().lkey());
        addRemote(
                cases,
                Operation.WRITE,
                "own-rkey",
                (rig, pair) -> pair.requester().region().rkey());
        for (int bit : new int[] {0, 7, 8, 15, 23, 24, 31}) {
            addRemote(
                    cases,
                    Operation.WRITE,
                    "rkey-bit-" + bit + "-flipped",
                    (rig, pair) -> pair.responder().region().rkey() ^ 1 << bit);
        }
        for (Operation operation : List.of(Operation.SEND, Operation.WRITE, Operation.READ)) {
            addLocal(cases, operation, "stale-lkey", KeyCases::staleLkey);
            addLocal(cases, operation, "lkey-of-another-pd", KeyCases::lkeyOfAnotherPd);
        }
        addLocal(cases, Operation.WRITE, "lkey-zero", (rig, pair) -> 0);
        addLocal(
                cases,
                Operation.WRITE,
                "rkey-as-lkey",
                (rig, pair) -> pair.requester().region().rkey());
        addReceive(cases, "stale-lkey", (rig, pair) -> stale(pair.responder()).lkey());
        addReceive(
                cases,
                "lkey-of-another-pd",
                (rig, pair) -> foreign(rig, pair.responder()).lkey());
    }

    private static void addRemote(CaseList cases, Operation operation, String what, WrongKey key) {
        cases.add(
                operation.label() + "-" + what,
                "a key that is no rkey of the responder's PD: REM_ACCESS_ERR, both ERR,"
                        + " QP_ACCESS_ERR at the responder (IBA 9.7.4, keys live inside a PD)",
                rig -> remote(rig, operation, key));
    }

    private static void addLocal(CaseList cases, Operation operation, String what, WrongKey key) {
        cases.add(
                operation.label() + "-" + what,
                "a key that is no lkey of the requester's PD: LOC_PROT_ERR, the peer stays RTS (ibv_poll_cq)",
                rig -> local(rig, operation, key));
    }

    private static void addReceive(CaseList cases, String what, WrongKey key) {
        cases.add(
                "receive-" + what,
                "a receive with a bad lkey: LOC_PROT_ERR there and REM_OP_ERR at the requester,"
                        + " both ERR (IBA 9.7.5.2.6)",
                rig -> receive(rig, key));
    }

    private static void remote(Rig rig, Operation operation, WrongKey key) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        int rkey = key.of(rig, pair);
        Pattern.blank(requester.buffer());
        Pattern.blank(responder.buffer());
        responder.receive(5);

        Transfers.post(operation, requester, 1, responder.at(0), rkey, requester.sge(0, BYTES));

        requester.sent(1, VerbsStatus.REM_ACCESS_ERR);
        if (operation.consumesReceive()) {
            Expect.equal(5L, responder.receives().next().wrId(), "receive that ended");
        } else {
            responder.received(5, VerbsStatus.WR_FLUSH_ERR);
        }
        requester.expectState(QpState.ERR);
        responder.expectState(QpState.ERR);
        responder.event(AsyncEvent.Type.QP_ACCESS_ERR);
        Pattern.expectBlank(responder.buffer(), 0, 8192, "responder's memory");
        Pattern.expectBlank(requester.buffer(), 0, 8192, "requester's memory");
        requester.ends();
        responder.ends();
    }

    private static void local(Rig rig, Operation operation, WrongKey key) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        int lkey = key.of(rig, pair);
        Pattern.blank(requester.buffer());
        Pattern.blank(responder.buffer());
        responder.receive(5, responder.sge(0, BYTES));

        requester.post(operation.request(1, responder, 0, new Sge(requester.at(0), BYTES, lkey)));

        requester.sent(1, VerbsStatus.LOC_PROT_ERR);
        requester.expectState(QpState.ERR);
        responder.expectState(QpState.RTS);
        Pattern.expectBlank(requester.buffer(), 0, 8192, "requester's memory");
        Pattern.expectBlank(responder.buffer(), 0, 8192, "responder's memory");
        requester.ends();
        responder.ends(5);
    }

    private static void receive(Rig rig, WrongKey key) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        int lkey = key.of(rig, pair);
        Pattern.fill(requester.buffer(), 0, BYTES, 1);
        Pattern.blank(responder.buffer());
        responder.receive(5, new Sge(responder.at(0), BYTES, lkey));
        responder.receive(6, responder.sge(0, BYTES));

        requester.post(Operation.SEND.request(1, requester.sge(0, BYTES)));

        requester.sent(1, VerbsStatus.REM_OP_ERR);
        responder.received(5, VerbsStatus.LOC_PROT_ERR);
        responder.received(6, VerbsStatus.WR_FLUSH_ERR);
        requester.expectState(QpState.ERR);
        responder.expectState(QpState.ERR);
        Pattern.expectBlank(responder.buffer(), 0, 8192, "responder's memory");
        requester.ends();
        responder.ends();
    }

    /** A region on the side's own buffer that was closed again. */
    private static MemoryRegion stale(Side side) throws VerbsException {
        MemoryRegion region =
                side.pd().register(side.buffer(), SideOptions.standard().regionAccess());
        region.close();
        return region;
    }

    /** A live region on the side's own buffer, but in a second PD of the same context. */
    private static MemoryRegion foreign(Rig rig, Side side) throws VerbsException {
        ProtectionDomain other = rig.closing(side.context().allocatePd());
        return rig.closing(other.register(side.buffer(), SideOptions.standard().regionAccess()));
    }

    private static int staleRkey(Rig rig, Rig.Pair pair) throws VerbsException {
        return stale(pair.responder()).rkey();
    }

    private static int rkeyOfAnotherPd(Rig rig, Rig.Pair pair) throws VerbsException {
        return foreign(rig, pair.responder()).rkey();
    }

    private static int staleLkey(Rig rig, Rig.Pair pair) throws VerbsException {
        return stale(pair.requester()).lkey();
    }

    private static int lkeyOfAnotherPd(Rig rig, Rig.Pair pair) throws VerbsException {
        return foreign(rig, pair.requester()).lkey();
    }
}
