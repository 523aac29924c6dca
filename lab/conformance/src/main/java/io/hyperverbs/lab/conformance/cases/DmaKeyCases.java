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
import io.hyperverbs.verbs.DmaKey;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The local key for all memory of the domain, which reaches that and nothing else. */
@CaseGroup("mr")
public final class DmaKeyCases {
    private static final String CONFINED =
            "the DMA key reaches the domain's own memory alone: LOC_PROT_ERR, the peer stays RTS"
                    + " (Liu 2006 5.1, closed here)";

    private DmaKeyCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        for (Operation operation : Operation.values()) {
            cases.add(
                    "dma-key-" + operation.label(),
                    "memory that was never registered is reached by its physical address (local DMA lkey)",
                    rig -> works(rig, operation));
        }
        cases.add("dma-key-first-byte-past-end", CONFINED, rig -> confined(rig, DmaKey::lengthBytes, 1));
        cases.add("dma-key-over-the-end", CONFINED, rig -> confined(rig, key -> key.lengthBytes() - 8, 16));
        cases.add("dma-key-wraps-2-64", CONFINED, rig -> confined(rig, key -> -8, 16));
        cases.add("dma-key-far-away", CONFINED, rig -> confined(rig, key -> Long.MIN_VALUE, 8));
        cases.add("dma-key-twice-the-memory", CONFINED, rig -> confined(rig, key -> 2 * key.lengthBytes(), 8));
    }

    /** An address that depends on the key. */
    private interface Address {
        long of(DmaKey key);
    }

    private static DmaKey key(Rig rig, Side side) throws VerbsException {
        return rig.closing(side.pd().allocateDmaKey());
    }

    private static void works(Rig rig, Operation operation) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        DmaKey key = key(rig, requester);
        // Two pages, so that more than the first is reached.
        MemorySegment buffer = rig.buffer(8192);
        int length = operation.isAtomic() ? 8 : 5000;
        Pattern.blank(buffer);
        Pattern.blank(responder.buffer());
        if (operation.writesLocally()) {
            Pattern.fill(responder.buffer(), 64, length, 4);
        } else {
            Pattern.fill(buffer, 1000, length, 4);
        }
        responder.receive(5, responder.sge(64, length));

        requester.post(operation.request(1, responder, 64, key.sge(buffer.asSlice(1000, length))));

        requester.sent(1, VerbsStatus.SUCCESS);
        if (operation.writesLocally()) {
            Pattern.expectAlone(buffer, 1000, length, 4, "requester's memory");
        } else {
            Pattern.expectAlone(responder.buffer(), 64, length, 4, "responder's memory");
        }
    }

    @Case("a receive lands through the DMA key")
    static void dmaKeyReceive(Rig rig, Side requester, Side responder) throws VerbsException {
        DmaKey key = key(rig, responder);
        MemorySegment buffer = rig.buffer(8192);
        Pattern.blank(buffer);
        Pattern.fill(requester.buffer(), 0, 5000, 4);

        responder.receive(5, key.sge(buffer.asSlice(777, 5000)));
        requester.post(Operation.SEND.request(1, requester.sge(0, 5000)));

        requester.sent(1, VerbsStatus.SUCCESS);
        responder.received(5, VerbsStatus.SUCCESS);
        Pattern.expectAlone(buffer, 777, 5000, 4, "memory received into");
    }

    @Case("the last bytes of the domain's memory are in reach")
    static void dmaKeyLastBytes(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        DmaKey key = key(rig, pair.requester());
        Expect.equal(rig.domain().memory().capacityBytes(), key.lengthBytes(), "bytes in its reach");

        post(pair, new Sge(key.lengthBytes() - 64, 64, key.lkey()));

        pair.requester().sent(1, VerbsStatus.SUCCESS);
    }

    private static void confined(Rig rig, Address address, int length) throws VerbsException {
        Rig.Pair pair = rig.pair();
        DmaKey key = key(rig, pair.requester());

        refused(pair, new Sge(address.of(key), length, key.lkey()));
    }

    private static void post(Rig.Pair pair, Sge local) {
        Side responder = pair.responder();
        Pattern.blank(responder.buffer());
        pair.requester().post(Operation.WRITE.request(1, responder, 0, local));
    }

    private static void refused(Rig.Pair pair, Sge local) throws VerbsException {
        post(pair, local);

        pair.requester().sent(1, VerbsStatus.LOC_PROT_ERR);
        pair.requester().expectState(QpState.ERR);
        pair.responder().expectState(QpState.RTS);
        Pattern.expectBlank(pair.responder().buffer(), 0, 8192, "responder's memory");
    }

    @Case("peers cannot use it: REM_ACCESS_ERR (Liu 2006 5.1, closed here)")
    static void dmaKeyIsNoRkey(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side side = pair.responder();
        DmaKey key = key(rig, side);

        Windows.refuses(pair, key.lkey(), key.address(side.buffer()));
    }

    @Case("it is a key of its PD alone: LOC_PROT_ERR")
    static void dmaKeyOfAnotherPd(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side side = pair.requester();
        ProtectionDomain other = rig.closing(side.context().allocatePd());
        DmaKey key = rig.closing(other.allocateDmaKey());

        refused(pair, key.sge(side.buffer().asSlice(0, 64)));
    }

    @Case("after it is closed it opens nothing: LOC_PROT_ERR")
    static void dmaKeyClosed(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side side = pair.requester();
        DmaKey key = side.pd().allocateDmaKey();
        Sge piece = key.sge(side.buffer().asSlice(0, 64));

        key.close();

        refused(pair, piece);
    }

    @Case("a PD with a DMA key: EBUSY (ibv_dealloc_pd)")
    static void dmaKeyPdBusy(Rig rig) throws VerbsException {
        ProtectionDomain pd = rig.closing(rig.context().allocatePd());
        DmaKey key = pd.allocateDmaKey();

        Expect.refused(VerbsStatus.EBUSY, "deallocating a PD with a DMA key", pd::close);

        key.close();
        pd.close();
    }

    @Case("memory that is not RAM of the domain has no physical address: EFAULT")
    static void dmaKeyForeignMemory(Rig rig) throws VerbsException {
        DmaKey key = key(rig, rig.side(SideOptions.standard()));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment outside = arena.allocate(64);
            Expect.refused(VerbsStatus.EFAULT, "the address of such memory", () -> key.address(outside));
        }
        Expect.refused(
                VerbsStatus.EFAULT, "the address of an array", () -> key.address(MemorySegment.ofArray(new byte[64])));
    }

    @Case("it counts as a region: EAGAIN above the quota of those: choice")
    static void dmaKeyQuota(Rig rig) throws VerbsException {
        ProtectionDomain pd = rig.closing(rig.context().allocatePd());

        QuotaCases.usesUp(rig, "mr", pd::allocateDmaKey);
    }
}
