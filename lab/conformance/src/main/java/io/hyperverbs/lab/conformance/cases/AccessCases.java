package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.access.AccessOracle;
import io.hyperverbs.lab.conformance.access.AccessOracle.Verdict;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Pattern;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/**
 * Every remote operation against every combination of the responder's QP right, its region's right,
 * and a range inside or outside of the region.
 */
@CaseGroup("access")
public final class AccessCases {
    private static final int REGION_OFFSET = 2048;
    private static final int REGION_BYTES = 1024;

    /** A region is as good as another. */
    private static final long ANY_ADDRESS = 0x7f00_0000_0000L;

    private AccessCases() {}

    /** Where a request is aimed, relative to a region of {@link #REGION_BYTES}. */
    private enum Range {
        FIRST,
        LAST,
        PAST_END,
        BEFORE_START,
        LONGER_THAN_REGION,
        FAR_AWAY,
        WRAPS_2_64;

        int lengthBytes(Operation operation) {
            if (operation.isAtomic()) {
                return 8;
            }
            return this == LONGER_THAN_REGION ? REGION_BYTES + 1 : 16;
        }

        long address(Operation operation, long region) {
            int length = lengthBytes(operation);
            // The smallest step that leaves an atomic aligned, so that alignment is not the matter.
            int step = operation.isAtomic() ? 8 : 1;
            return switch (this) {
                case FIRST, LONGER_THAN_REGION -> region;
                case LAST -> region + REGION_BYTES - length;
                case PAST_END -> region + REGION_BYTES - length + step;
                case BEFORE_START -> region - step;
                case FAR_AWAY -> region + Long.MIN_VALUE;
                case WRAPS_2_64 -> -8;
            };
        }
    }

    /** One combination. */
    private record Attempt(Operation operation, boolean qpRight, boolean regionRight, Range range) {
        String label() {
            return operation.label()
                    + (qpRight ? "" : "-without-qp-right")
                    + (regionRight ? "" : "-without-region-right")
                    + "-"
                    + range.name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        Verdict verdict() {
            int right = operation.right().orElseThrow().bit();
            AccessOracle.Key key = new AccessOracle.Key(true, regionRight ? right : 0, ANY_ADDRESS, REGION_BYTES);
            boolean isOpen = key.opens(right, range.address(operation, ANY_ADDRESS), range.lengthBytes(operation));
            return AccessOracle.verdict(
                    new AccessOracle.Attempt(right, operation.consumesReceive(), qpRight ? right : 0, isOpen));
        }

        String rule() {
            return switch (verdict().requester()) {
                case SUCCESS -> "with both rights and inside the region: done";
                case REM_INV_REQ_ERR ->
                    "not enabled on the responder's QP, looked at first: REM_INV_REQ_ERR, both"
                            + " ERR, QP_REQ_ERR there (IBA 9.7.4.1)";
                default ->
                    "region without the right, or range not inside it: REM_ACCESS_ERR, both"
                            + " ERR, QP_ACCESS_ERR there (IBA 9.7.4.1)";
            };
        }
    }

    @CaseFamily
    static void families(CaseList cases) {
        for (Operation operation : Operation.remote()) {
            for (boolean qpRight : new boolean[] {true, false}) {
                for (boolean regionRight : new boolean[] {true, false}) {
                    for (Range range : Range.values()) {
                        if (operation.isAtomic() && range == Range.LONGER_THAN_REGION) {
                            continue;
                        }
                        Attempt attempt = new Attempt(operation, qpRight, regionRight, range);
                        cases.add(attempt.label(), attempt.rule(), rig -> run(rig, attempt));
                    }
                }
            }
        }
    }

    private static void run(Rig rig, Attempt attempt) throws VerbsException {
        Operation operation = attempt.operation;
        SideOptions standard = SideOptions.standard();
        Access right = operation.right().orElseThrow();
        Rig.Pair pair = rig.pair(
                standard, attempt.qpRight ? standard : standard.withQpAccess(without(standard.qpAccess(), right)));
        Side requester = pair.requester();
        Side responder = pair.responder();
        MemoryRegion region = rig.closing(responder
                .pd()
                .register(
                        responder.buffer().asSlice(REGION_OFFSET, REGION_BYTES),
                        attempt.regionRight ? standard.regionAccess() : without(standard.regionAccess(), right)));
        int length = attempt.range.lengthBytes(operation);
        long address = attempt.range.address(operation, region.address());
        Pattern.blank(responder.buffer());
        Pattern.blank(requester.buffer());
        responder.receive(5);

        requester.post(operation.request(1, address, region.rkey(), List.of(requester.sge(1024, length))));

        Verdict verdict = attempt.verdict();
        requester.sent(1, verdict.requester());
        if (verdict.isSuccess()) {
            expectDone(attempt, pair, address - responder.region().address());
        } else {
            expectRefused(verdict, pair);
        }
    }

    private static Set<Access> without(Set<Access> rights, Access right) {
        EnumSet<Access> rest = EnumSet.copyOf(rights);
        rest.remove(right);
        return rest;
    }

    private static void expectDone(Attempt attempt, Rig.Pair pair, long offsetBytes) throws VerbsException {
        Operation operation = attempt.operation;
        Side responder = pair.responder();
        if (operation.consumesReceive()) {
            responder.received(5, VerbsStatus.SUCCESS);
        }
        if (operation.isAtomic()) {
            // Memory was blank, so a swap of zero finds another value and an addition counts on.
            long blank = Pattern.UNTOUCHED * 0x0101_0101_0101_0101L;
            Expect.equal(
                    operation == Operation.FETCH_AND_ADD ? blank + Operation.ADDEND : blank,
                    responder.buffer().get(ValueLayout.JAVA_LONG, offsetBytes),
                    "word");
        }
        pair.requester().expectState(QpState.RTS);
        responder.expectState(QpState.RTS);
        pair.requester().ends();
    }

    private static void expectRefused(Verdict verdict, Rig.Pair pair) throws VerbsException {
        Side responder = pair.responder();
        pair.requester().expectState(QpState.ERR);
        responder.expectState(QpState.ERR);
        responder.event(Objects.requireNonNull(verdict.event()));
        responder.received(5, Objects.requireNonNull(verdict.receive()));
        Pattern.expectBlank(responder.buffer(), 0, 8192, "responder's memory");
        Pattern.expectBlank(pair.requester().buffer(), 0, 8192, "requester's memory");
        pair.requester().ends();
        responder.ends();
    }
}
