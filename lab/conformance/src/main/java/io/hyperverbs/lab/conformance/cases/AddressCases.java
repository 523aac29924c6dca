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
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WindowBinding;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;

/** Regions whose addresses are not those of their memory: zero-based, or as the program wants. */
@CaseGroup("mr")
public final class AddressCases {
    private static final int OFFSET = 1024;
    private static final int BYTES = 512;
    private static final Set<Access> ALL = SideOptions.standard().regionAccess();
    private static final Set<Access> ZERO_BASED = zeroBased(ALL);

    private AddressCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        for (Operation operation : Operation.values()) {
            cases.add(
                    "zero-based-" + operation.label(),
                    "a zero-based region counts its bytes from 0, for its own requests and"
                            + " its peers' (IBV_ACCESS_ZERO_BASED)",
                    rig -> works(rig, operation, 0, ZERO_BASED));
            cases.add(
                    "iova-" + operation.label(),
                    "a region has the addresses it was given (ibv_reg_mr_iova)",
                    rig -> works(rig, operation, 0x4000_0000_0000L, ALL));
            cases.add(
                    "iova-up-to-2-64-" + operation.label(),
                    "a region may end at 2^64 (ibv_reg_mr_iova)",
                    rig -> works(rig, operation, -8192, ALL));
        }
        cases.add(
                "zero-based-last-byte",
                "its last bytes are at length - n",
                rig -> edge(rig, 0, ZERO_BASED, BYTES - 16, true));
        cases.add(
                "zero-based-past-end",
                "a byte beyond the end: REM_ACCESS_ERR",
                rig -> edge(rig, 0, ZERO_BASED, BYTES - 15, false));
        cases.add(
                "zero-based-before-0",
                "a range that wraps 2^64 into the region: REM_ACCESS_ERR",
                rig -> edge(rig, 0, ZERO_BASED, -8, false));
        cases.add(
                "iova-up-to-2-64-last-byte",
                "the last byte of the address space can be written",
                rig -> edge(rig, -8192, ALL, BYTES - 16, true));
        cases.add(
                "iova-up-to-2-64-wraps",
                "a range that goes on at 0 behind it: REM_ACCESS_ERR",
                rig -> edge(rig, -8192, ALL, BYTES - 8, false));
        cases.add(
                "iova-up-to-2-64-behind",
                "address 0 is not behind the last byte: REM_ACCESS_ERR",
                rig -> edge(rig, -8192, ALL, BYTES, false));
    }

    private static Set<Access> zeroBased(Set<Access> access) {
        Set<Access> zeroBased = new HashSet<>(access);
        zeroBased.add(Access.ZERO_BASED);
        return Set.copyOf(zeroBased);
    }

    /**
     * A part of the side's buffer, with its page of memory at address {@code space}; 0: wherever
     * the rights say. With a {@code space} of the last pages it ends at 2^64, and a page ends
     * there.
     */
    private static MemoryRegion region(Rig rig, Side side, long space, Set<Access> access) throws VerbsException {
        MemorySegment part = part(side, space);
        return rig.closing(
                space == 0 ? side.pd().register(part, access) : side.pd().register(part, address(part, space), access));
    }

    private static long address(MemorySegment part, long space) {
        return space < 0 ? -BYTES : space + (part.address() & 4095);
    }

    private static MemorySegment part(Side side, long space) {
        if (space >= 0) {
            return side.buffer().asSlice(OFFSET, BYTES);
        }
        long pageEnd =
                ((side.buffer().address() + 4096) & -4096L) - side.buffer().address();
        long end = pageEnd < BYTES ? pageEnd + 4096 : pageEnd;
        return side.buffer().asSlice(end - BYTES, BYTES);
    }

    private static long landsAt(Side side, MemoryRegion region) {
        return region.buffer().address() - side.buffer().address();
    }

    private static void works(Rig rig, Operation operation, long space, Set<Access> access) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        MemoryRegion here = region(rig, requester, space, access);
        MemoryRegion there = region(rig, responder, space, access);
        int length = operation.isAtomic() ? 8 : 64;
        Pattern.blank(requester.buffer());
        Pattern.blank(responder.buffer());
        MemorySegment from = operation.writesLocally() ? there.buffer() : here.buffer();
        Pattern.fill(from, 64, length, 4);
        if (operation == Operation.SEND || operation == Operation.SEND_WITH_IMM) {
            responder.receive(5, there.sge(64, length));
        } else {
            responder.receive(5);
        }

        Transfers.post(operation, requester, 1, there.address() + 64, there.rkey(), here.sge(64, length));

        requester.sent(1, VerbsStatus.SUCCESS);
        Side to = operation.writesLocally() ? requester : responder;
        MemoryRegion into = operation.writesLocally() ? here : there;
        Pattern.expectAlone(to.buffer(), landsAt(to, into) + 64, length, 4, "memory of " + to);
    }

    @Case("its address is 0, its length and memory are as given")
    static void zeroBasedDescribesItself(Rig rig, Side requester, Side side) throws VerbsException {
        MemoryRegion region = region(rig, side, 0, ZERO_BASED);

        Expect.equal(0L, region.address(), "address");
        Expect.equal((long) BYTES, region.lengthBytes(), "length");
        Expect.equal(side.buffer().asSlice(OFFSET, BYTES), region.buffer(), "buffer");
        Expect.equal(new Sge(10, 20, region.lkey()), region.sge(10, 20), "its SGE");
    }

    /** 16 bytes at {@code offset}; inside or not. */
    private static void edge(Rig rig, long space, Set<Access> access, long offset, boolean inside)
            throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side side = pair.responder();
        MemoryRegion region = region(rig, side, space, access);
        long address = region.address() + offset;

        if (inside) {
            Windows.writes(pair, region.rkey(), address, landsAt(side, region) + offset);
        } else {
            Windows.refuses(pair, region.rkey(), address);
        }
    }

    @Case("the address of the memory is none of a zero-based region: REM_ACCESS_ERR")
    static void zeroBasedMemoryAddress(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side side = pair.responder();
        MemoryRegion region = region(rig, side, 0, ZERO_BASED);

        Windows.refuses(pair, region.rkey(), side.at(OFFSET));
    }

    @Case("nor for its own requests: LOC_PROT_ERR")
    static void zeroBasedLocalMemoryAddress(Rig rig, Side requester, Side responder) throws VerbsException {
        MemoryRegion region = region(rig, requester, 0, ZERO_BASED);

        requester.post(Operation.WRITE.request(1, responder, 0, new Sge(requester.at(OFFSET), 16, region.lkey())));

        requester.sent(1, VerbsStatus.LOC_PROT_ERR);
        requester.expectState(QpState.ERR);
        responder.expectState(QpState.RTS);
    }

    @Case("a window on a zero-based region is bound by its addresses, from 0")
    static void zeroBasedWindow(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side side = pair.responder();
        MemoryRegion region = region(rig, side, 0, zeroBased(Windows.BINDABLE));
        for (MemoryWindow.Type type : Windows.types()) {
            MemoryWindow window = Windows.allocate(rig, side, type);

            Windows.bind(side, window, new WindowBinding(region, 128, 64, Windows.REMOTE), VerbsStatus.SUCCESS);

            Windows.writes(pair, window.rkey(), 128, OFFSET + 128);
        }
    }

    @Case("a region that would wrap 2^64: EINVAL (ibv_reg_mr_iova)")
    static void iovaWraps(Side requester, Side side) throws VerbsException {
        MemorySegment part = part(side, -8192);
        long last = -4096 + (part.address() & 4095);

        Expect.refused(
                VerbsStatus.EINVAL,
                "a region that wraps",
                () -> side.pd()
                        .register(
                                side.buffer()
                                        .asSlice(part.address() - side.buffer().address(), BYTES + 1),
                                last,
                                ALL));
    }

    @Case("an address not as far into a page as the memory: EINVAL (ibv_reg_mr_iova)")
    static void iovaOtherOffsetInPage(Rig rig, Side requester, Side side) throws VerbsException {
        MemorySegment part = side.buffer().asSlice(OFFSET, BYTES);

        for (long change : new long[] {1, 64, 2048, -1}) {
            Expect.refused(
                    VerbsStatus.EINVAL,
                    "another offset in the page",
                    () -> side.pd().register(part, part.address() + change, ALL));
        }
        rig.closing(side.pd().register(part, part.address() + 4096, ALL));
    }
}
