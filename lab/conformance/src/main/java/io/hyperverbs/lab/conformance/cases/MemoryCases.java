package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.access.AccessOracle;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Pattern;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Registering memory and ending it. */
@CaseGroup("mr")
public final class MemoryCases {
    private static final Set<Access> REMOTE = EnumSet.of(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);

    private MemoryCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        // Every combination of the four rights.
        for (int mask = 0; mask < 1 << 4; mask++) {
            Set<Access> rights = Access.of(mask);
            cases.add(
                    "register-" + label(rights),
                    AccessOracle.mayRegister(mask)
                            ? "legal rights register; rkey is 0 exactly if none is remote: choice"
                            : "REMOTE_WRITE or REMOTE_ATOMIC without LOCAL_WRITE: EINVAL (ibv_reg_mr)",
                    rig -> registers(rig, rights));
        }
    }

    private static String label(Set<Access> rights) {
        return rights.isEmpty()
                ? "no-right"
                : rights.stream()
                        .map(right -> right.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                        .collect(Collectors.joining("+"));
    }

    private static ProtectionDomain pd(Rig rig) throws VerbsException {
        return rig.closing(rig.context().allocatePd());
    }

    private static void registers(Rig rig, Set<Access> rights) throws VerbsException {
        ProtectionDomain pd = pd(rig);
        MemorySegment buffer = rig.buffer(4096);

        if (!AccessOracle.mayRegister(Access.mask(rights))) {
            Expect.refused(VerbsStatus.EINVAL, "registering with " + rights, () -> pd.register(buffer, rights));
            return;
        }
        MemoryRegion region = rig.closing(pd.register(buffer, rights));
        boolean remote = rights.stream().anyMatch(REMOTE::contains);
        Expect.equal(remote, region.rkey() != 0, "an rkey with rights " + rights);
        Expect.isTrue(region.lkey() != 0, "lkey is 0");
        Expect.isTrue(region.lkey() != region.rkey(), "lkey and rkey are equal");
    }

    @Case("a region keeps address and length of what was registered (ibv_reg_mr)")
    static void describesItsMemory(Rig rig) throws VerbsException {
        MemorySegment buffer = rig.buffer(1000);
        MemoryRegion region = rig.closing(pd(rig).register(buffer, Set.of(Access.LOCAL_WRITE)));

        Expect.equal(1000L, region.lengthBytes(), "length");
        Expect.equal(buffer, region.buffer(), "buffer");
        Expect.isTrue(region.address() != 0, "address is 0");
        Expect.equal(new Sge(region.address() + 10, 20, region.lkey()), region.sge(10, 20), "its SGE");
    }

    @Case("a region of 0 bytes: EINVAL")
    static void empty(Rig rig) throws VerbsException {
        ProtectionDomain pd = pd(rig);
        MemorySegment nothing = rig.buffer(64).asSlice(32, 0);

        Expect.refused(
                VerbsStatus.EINVAL, "registering 0 bytes", () -> pd.register(nothing, Set.of(Access.LOCAL_WRITE)));
    }

    @Case("memory that is not RAM of the domain: EFAULT (Liu 2006 4.2), choice: the heap too")
    static void foreignMemory(Rig rig) throws VerbsException {
        ProtectionDomain pd = pd(rig);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment outside = arena.allocate(8192, 4096);
            Expect.refused(
                    VerbsStatus.EFAULT,
                    "registering memory outside the RAM",
                    () -> pd.register(outside, Set.of(Access.LOCAL_WRITE)));
        }
        Expect.refused(
                VerbsStatus.EFAULT,
                "registering an array",
                () -> pd.register(MemorySegment.ofArray(new byte[64]), Set.of(Access.LOCAL_WRITE)));
    }

    @Case("a region may start and end at any byte (ibv_reg_mr)")
    static void anyAlignment(Rig rig, Side requester, Side responder) throws VerbsException {
        Pattern.fill(requester.buffer(), 0, 8192, 1);
        Pattern.blank(responder.buffer());
        // Starts in one page and ends in another, at odd bytes.
        MemorySegment odd = responder.buffer().asSlice(4001, 203);
        MemoryRegion region =
                rig.closing(responder.pd().register(odd, SideOptions.standard().regionAccess()));

        requester.post(new SendWorkRequest.RdmaWrite(
                1, SendFlags.SIGNALLED, List.of(requester.sge(0, 203)), region.address(), region.rkey()));

        requester.sent(1, VerbsStatus.SUCCESS);
        Pattern.expectAlone(responder.buffer(), 4001, 203, 1, "region at odd bytes");
    }

    @Case("regions may overlap; each has keys of its own (IBA 10.6.3)")
    static void overlapping(Rig rig, Side requester, Side responder) throws VerbsException {
        MemoryRegion upper = rig.closing(responder
                .pd()
                .register(
                        responder.buffer().asSlice(100), SideOptions.standard().regionAccess()));
        Expect.isTrue(
                upper.rkey() != responder.region().rkey()
                        && upper.lkey() != responder.region().lkey(),
                "two regions share a key");
        Expect.equal(responder.at(100), upper.address(), "address of the overlapping region");
        Pattern.fill(requester.buffer(), 0, 16, 3);

        for (int rkey : new int[] {upper.rkey(), responder.region().rkey()}) {
            responder.buffer().fill((byte) 0);
            requester.post(new SendWorkRequest.RdmaWrite(
                    rkey, SendFlags.SIGNALLED, List.of(requester.sge(0, 16)), responder.at(200), rkey));
            requester.sent(rkey, VerbsStatus.SUCCESS);
            Pattern.expect(responder.buffer(), 200, 16, 3, "write through either key");
        }
    }

    @Case("many regions live at once, and their keys all differ")
    static void many(Rig rig) throws VerbsException {
        ProtectionDomain pd = pd(rig);
        MemorySegment buffer = rig.buffer(64);
        Set<Integer> keys = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            MemoryRegion region =
                    rig.closing(pd.register(buffer, SideOptions.standard().regionAccess()));
            Expect.isTrue(keys.add(region.rkey()), "an rkey occurs twice");
            Expect.isTrue(keys.add(region.lkey()), "an lkey occurs twice");
        }
    }

    @Case("registering the same memory again gives keys never seen before: choice")
    static void keysFreshEachTime(Rig rig) throws VerbsException {
        ProtectionDomain pd = pd(rig);
        MemorySegment buffer = rig.buffer(64);
        Set<Integer> keys = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            MemoryRegion region = pd.register(buffer, SideOptions.standard().regionAccess());
            Expect.isTrue(keys.add(region.rkey()), "a stale rkey came back");
            Expect.isTrue(keys.add(region.lkey()), "a stale lkey came back");
            region.close();
        }
    }

    @Case("deregistering one region leaves another on the same memory alone")
    static void closeLeavesOthers(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side responder = pair.responder();
        MemoryRegion other = responder
                .pd()
                .register(responder.buffer(), SideOptions.standard().regionAccess());

        other.close();

        Transfers.writes(pair, 64);
    }

    @Case("a region closed while reads land in it: LOC_PROT_ERR, and no byte lands after (ibv_dereg_mr)")
    static void closeStopsReadsIntoIt(Rig rig) throws VerbsException {
        SideOptions large = SideOptions.standard().withBufferBytes(256 << 10);
        Rig.Pair pair = rig.pair(large);
        Side requester = pair.requester();
        Side responder = pair.responder();
        responder.buffer().fill((byte) 1);
        SendWorkRequest[] reads = new SendWorkRequest[16];
        for (int i = 0; i < reads.length; i++) {
            reads[i] = new SendWorkRequest.RdmaRead(
                    i,
                    SendFlags.SIGNALLED,
                    List.of(requester.sge(0, 256 << 10)),
                    responder.at(0),
                    responder.region().rkey());
        }

        requester.post(reads);
        requester.region().close();
        requester.buffer().fill((byte) 2);

        expectStopped(requester, reads.length, VerbsStatus.LOC_PROT_ERR);
        expectUntouched(requester);
    }

    @Case("after ibv_dereg_mr returns no byte lands, copies in flight included")
    static void closeStopsWrites(Rig rig) throws VerbsException {
        SideOptions large = SideOptions.standard().withBufferBytes(256 << 10);
        Rig.Pair pair = rig.pair(large);
        Side requester = pair.requester();
        Side responder = pair.responder();
        requester.buffer().fill((byte) 1);
        Sge all = requester.sge(0, 256 << 10);
        SendWorkRequest[] writes = new SendWorkRequest[16];
        for (int i = 0; i < writes.length; i++) {
            writes[i] = new SendWorkRequest.RdmaWrite(
                    i,
                    SendFlags.SIGNALLED,
                    List.of(all),
                    responder.at(0),
                    responder.region().rkey());
        }

        requester.post(writes);
        responder.region().close();
        responder.buffer().fill((byte) 2);

        expectStopped(requester, writes.length, VerbsStatus.REM_ACCESS_ERR);
        expectUntouched(responder);
    }

    /** First what succeeds, then one refusal at most, then what is flushed. */
    private static void expectStopped(Side side, int requests, VerbsStatus refusal) throws VerbsException {
        boolean refused = false;
        for (WorkCompletion completion : side.sends().next(requests)) {
            VerbsStatus found = completion.status();
            boolean legal =
                    refused ? found == VerbsStatus.WR_FLUSH_ERR : found == VerbsStatus.SUCCESS || found == refusal;
            Expect.isTrue(legal, "request amid which a region was closed: " + completion);
            refused = found != VerbsStatus.SUCCESS;
        }
    }

    private static void expectUntouched(Side side) {
        for (long i = 0; i < side.buffer().byteSize(); i++) {
            byte found = side.buffer().get(ValueLayout.JAVA_BYTE, i);
            Expect.isTrue(found == 2, "byte " + i + " was written after the region was closed");
        }
    }

    @Case("closing a closed region does nothing")
    static void closeTwice(Rig rig) throws VerbsException {
        MemoryRegion region = pd(rig).register(rig.buffer(64), Set.of());

        region.close();
        region.close();
    }
}
