package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.RegionChange;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Registering a region anew: other memory, another PD, other rights. */
@CaseGroup("mr")
public final class ReregisterCases {
    private static final Set<Access> ALL = SideOptions.standard().regionAccess();

    private ReregisterCases() {}

    static MemoryRegion extra(Rig rig, Side side, Set<Access> access) throws VerbsException {
        return rig.closing(side.pd().register(side.buffer().asSlice(1024, 1024), access));
    }

    /** A write through the region's rkey to its first bytes lands at that byte of the buffer. */
    static void writes(Rig.Pair pair, MemoryRegion region, long landsAt) {
        Windows.writes(pair, region.rkey(), region.address(), landsAt);
    }

    @Case("new rights work at once (IBV_REREG_MR_CHANGE_ACCESS)")
    static void reregAccessAdds(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        MemoryRegion region = extra(rig, pair.responder(), Set.of());
        Expect.equal(0, region.rkey(), "rkey without a remote right");

        region.reregister(RegionChange.NONE.withAccess(ALL));

        writes(pair, region, 1024);
    }

    @Case("a right taken away: REM_ACCESS_ERR (IBV_REREG_MR_CHANGE_ACCESS)")
    static void reregAccessTakesAway(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        MemoryRegion region = extra(rig, pair.responder(), ALL);

        region.reregister(RegionChange.NONE.withAccess(Set.of(Access.LOCAL_WRITE, Access.REMOTE_READ)));

        Windows.refuses(pair, region.rkey(), region.address());
    }

    @Case("without remote rights the rkey is 0: choice")
    static void reregAccessNoRemoteRight(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        MemoryRegion region = extra(rig, pair.responder(), ALL);
        int old = region.rkey();

        region.reregister(RegionChange.NONE.withAccess(Set.of(Access.LOCAL_WRITE)));

        Expect.equal(0, region.rkey(), "rkey");
        Windows.refuses(pair, old, region.address());
    }

    @Case("each re-registration gives new keys, the old rkey opens nothing: choice")
    static void reregEndsOldRkey(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        MemoryRegion region = extra(rig, pair.responder(), ALL);
        int old = region.rkey();

        region.reregister(RegionChange.NONE.withAccess(ALL));

        writes(pair, region, 1024);
        Windows.refuses(pair, old, region.address());
    }

    @Case("the old lkey of a region registered anew: LOC_PROT_ERR: choice")
    static void reregEndsOldLkey(Rig rig, Side requester, Side responder) throws VerbsException {
        MemoryRegion region = extra(rig, requester, ALL);
        Sge old = region.sge(0, 8);

        region.reregister(RegionChange.NONE.withAccess(ALL));

        requester.post(Operation.WRITE.request(1, responder, 0, region.sge(0, 8)));
        requester.sent(1, VerbsStatus.SUCCESS);
        requester.post(Operation.WRITE.request(2, responder, 0, old));
        requester.sent(2, VerbsStatus.LOC_PROT_ERR);
        requester.expectState(QpState.ERR);
        responder.expectState(QpState.RTS);
    }

    @Case("registering anew 40 times gives keys never seen before, and takes up nothing of the quotas: choice")
    static void reregKeysNeverRepeat(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side side = pair.responder();
        MemoryRegion region = extra(rig, side, ALL);
        MemorySegment larger = side.buffer().asSlice(1024, 2048);
        MemorySegment smaller = side.buffer().asSlice(1024, 1024);
        Set<Integer> keys = new HashSet<>();

        for (int i = 0; i < 40; i++) {
            Expect.isTrue(keys.add(region.rkey()), "a stale rkey came back");
            Expect.isTrue(keys.add(region.lkey()), "a stale lkey came back");
            region.reregister(RegionChange.NONE.withBuffer(i % 2 == 0 ? larger : smaller));
        }

        writes(pair, region, 1024);
    }

    @Case("the key opens the other memory and no longer the first (IBV_REREG_MR_CHANGE_TRANSLATION)")
    static void reregTranslation(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side side = pair.responder();
        MemoryRegion region = extra(rig, side, ALL);
        long former = region.address();
        MemorySegment other = side.buffer().asSlice(4099, 512);

        region.reregister(RegionChange.NONE.withBuffer(other));

        Expect.equal(other, region.buffer(), "buffer");
        Expect.equal(512L, region.lengthBytes(), "length");
        Expect.equal(side.at(4099), region.address(), "address");
        writes(pair, region, 4099);
        Windows.refuses(pair, region.rkey(), former);
    }

    @Case("a smaller buffer: what is behind it is REM_ACCESS_ERR")
    static void reregTranslationEndsWhereItEnds(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side side = pair.responder();
        MemoryRegion region = extra(rig, side, ALL);

        region.reregister(RegionChange.NONE.withBuffer(side.buffer().asSlice(1024, 64)));

        Windows.writes(pair, region.rkey(), region.address() + 48, 1024 + 48);
        Windows.refuses(pair, region.rkey(), region.address() + 49);
    }

    @Case("after ibv_rereg_mr returns no byte lands in the first memory, copies in flight included")
    static void reregTranslationStopsWrites(Rig rig) throws VerbsException {
        int bytes = 256 << 10;
        // Made first, so that it is freed after the region that goes there.
        MemorySegment other = rig.buffer(64);
        Rig.Pair pair = rig.pair(SideOptions.standard().withBufferBytes(bytes));
        Side requester = pair.requester();
        Side responder = pair.responder();
        requester.buffer().fill((byte) 1);
        SendWorkRequest[] writes = new SendWorkRequest[16];
        for (int i = 0; i < writes.length; i++) {
            writes[i] = new SendWorkRequest.RdmaWrite(
                    i,
                    SendFlags.SIGNALLED,
                    List.of(requester.sge(0, bytes)),
                    responder.at(0),
                    responder.region().rkey());
        }

        requester.post(writes);
        responder.region().reregister(RegionChange.NONE.withBuffer(other));
        responder.buffer().fill((byte) 2);

        boolean refused = false;
        for (WorkCompletion completion : requester.sends().next(writes.length)) {
            VerbsStatus found = completion.status();
            boolean legal = refused
                    ? found == VerbsStatus.WR_FLUSH_ERR
                    : found == VerbsStatus.SUCCESS || found == VerbsStatus.REM_ACCESS_ERR;
            Expect.isTrue(legal, "write into a region that was registered anew: " + completion);
            refused = found != VerbsStatus.SUCCESS;
        }
        for (long i = 0; i < bytes; i++) {
            byte found = responder.buffer().get(ValueLayout.JAVA_BYTE, i);
            Expect.isTrue(found == 2, "byte " + i + " was written after the region had moved");
        }
    }

    @Case("the region works in its new PD and not in the old one (IBV_REREG_MR_CHANGE_PD)")
    static void reregPd(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side side = pair.responder();
        ProtectionDomain other = rig.closing(side.context().allocatePd());
        MemoryRegion region = rig.closing(other.register(side.buffer().asSlice(1024, 1024), ALL));

        region.reregister(RegionChange.NONE.withPd(side.pd()));
        writes(pair, region, 1024);
        Expect.equal(side.pd(), region.pd(), "PD");

        region.reregister(RegionChange.NONE.withPd(other));
        Windows.refuses(pair, region.rkey(), region.address());
    }

    @Case("the PD it left can be deallocated, the one it went to is EBUSY")
    static void reregPdFreesTheOld(Rig rig, Side requester, Side side) throws VerbsException {
        ProtectionDomain old = side.context().allocatePd();
        ProtectionDomain target = rig.closing(side.context().allocatePd());
        MemoryRegion region = rig.closing(old.register(side.buffer().asSlice(1024, 1024), ALL));
        Expect.refused(VerbsStatus.EBUSY, "deallocating the PD of a region", old::close);

        region.reregister(RegionChange.NONE.withPd(target));

        old.close();
        Expect.refused(VerbsStatus.EBUSY, "deallocating the new PD of a region", target::close);
    }

    @Case("memory, PD and rights change in one step (ibv_rereg_mr)")
    static void reregAllAtOnce(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side side = pair.responder();
        ProtectionDomain other = rig.closing(side.context().allocatePd());
        MemoryRegion region = rig.closing(other.register(side.buffer().asSlice(1024, 1024), Set.of()));

        region.reregister(RegionChange.NONE
                .withBuffer(side.buffer().asSlice(5000, 100))
                .withPd(side.pd())
                .withAccess(ALL));

        writes(pair, region, 5000);
    }

    @Case("ZERO_BASED is a right like the others: addresses count from 0 then")
    static void reregToZeroBased(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        MemoryRegion region = extra(rig, pair.responder(), ALL);
        long former = region.address();
        Set<Access> zeroBased = new HashSet<>(ALL);
        zeroBased.add(Access.ZERO_BASED);

        region.reregister(RegionChange.NONE.withAccess(zeroBased));

        Expect.equal(0L, region.address(), "address");
        writes(pair, region, 1024);
        region.reregister(RegionChange.NONE.withAccess(ALL));
        Expect.equal(former, region.address(), "address");
        writes(pair, region, 1024);
    }
}
