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
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Values, alignment and serialisation of atomics. */
@CaseGroup("rc")
public final class AtomicCases {
    private AtomicCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        long[][] sums = {{0, 0}, {0, 1}, {41, 1}, {5, -7}, {-1, 1}, {Long.MAX_VALUE, 1}, {Long.MIN_VALUE, -1}};
        for (long[] sum : sums) {
            cases.add(
                    "fetch-add-" + sum[0] + "-plus-" + sum[1],
                    "fetch-and-add returns the old value and adds modulo 2^64 (IBA 9.4.5)",
                    rig -> adds(rig, sum[0], sum[1]));
        }
        cases.add(
                "cmp-swap-equal",
                "compare-and-swap of an equal value replaces it and returns it (IBA 9.4.5)",
                rig -> swaps(rig, 7, 7));
        cases.add(
                "cmp-swap-unequal",
                "compare-and-swap of another value changes nothing and returns it (IBA 9.4.5)",
                rig -> swaps(rig, 7, 8));
        cases.add("cmp-swap-all-bits", "compare-and-swap compares all 64 bits", rig -> swaps(rig, 7, 7 | 1L << 63));
        for (Operation operation : List.of(Operation.COMPARE_AND_SWAP, Operation.FETCH_AND_ADD)) {
            for (int offset = 1; offset < 8; offset++) {
                int bytes = offset;
                cases.add(
                        operation.label() + "-misaligned-by-" + offset,
                        "an atomic at an address that is no multiple of 8: REM_INV_REQ_ERR, both"
                                + " ERR, QP_REQ_ERR at the responder (IBA 9.4.5)",
                        rig -> misaligned(rig, operation, bytes));
            }
            for (int length : new int[] {0, 4, 7, 9, 16}) {
                cases.add(
                        operation.label() + "-into-" + length + "-bytes",
                        "the local segment of an atomic is 8 bytes, else LOC_LEN_ERR; the peer stays RTS"
                                + " (ibv_post_send)",
                        rig -> wrongLength(rig, operation, length));
            }
        }
        for (Operation operation : List.of(Operation.COMPARE_AND_SWAP, Operation.FETCH_AND_ADD)) {
            cases.add(
                    operation.label() + "-into-two-pieces",
                    "an atomic has one piece of 8 bytes, not two of 4: LOC_LEN_ERR (IBA 9.4.5)",
                    rig -> twoPieces(rig, operation));
        }
    }

    private static long word(MemorySegment buffer, long offsetBytes) {
        return buffer.get(ValueLayout.JAVA_LONG, offsetBytes);
    }

    private static void adds(Rig rig, long before, long addend) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        responder.buffer().set(ValueLayout.JAVA_LONG, 64, before);

        requester.post(new SendWorkRequest.FetchAndAdd(
                1,
                SendFlags.SIGNALLED,
                List.of(requester.sge(8, 8)),
                responder.at(64),
                responder.region().rkey(),
                addend));

        requester.sent(1, VerbsStatus.SUCCESS);
        Expect.equal(before, word(requester.buffer(), 8), "value returned");
        Expect.equal(before + addend, word(responder.buffer(), 64), "sum");
    }

    private static void swaps(Rig rig, long present, long expected) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        responder.buffer().set(ValueLayout.JAVA_LONG, 64, present);

        requester.post(new SendWorkRequest.CompareAndSwap(
                1,
                SendFlags.SIGNALLED,
                List.of(requester.sge(8, 8)),
                responder.at(64),
                responder.region().rkey(),
                expected,
                -99));

        requester.sent(1, VerbsStatus.SUCCESS);
        Expect.equal(present, word(requester.buffer(), 8), "value returned");
        Expect.equal(present == expected ? -99 : present, word(responder.buffer(), 64), "word");
    }

    private static void misaligned(Rig rig, Operation operation, int offset) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        Pattern.blank(requester.buffer());
        Pattern.blank(responder.buffer());

        requester.post(operation.request(1, responder, offset, requester.sge(0, 8)));

        requester.sent(1, VerbsStatus.REM_INV_REQ_ERR);
        requester.expectState(QpState.ERR);
        responder.expectState(QpState.ERR);
        responder.event(AsyncEvent.Type.QP_REQ_ERR);
        Pattern.expectBlank(responder.buffer(), 0, 64, "responder's memory");
        Pattern.expectBlank(requester.buffer(), 0, 64, "requester's memory");
    }

    private static void twoPieces(Rig rig, Operation operation) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        Pattern.blank(responder.buffer());

        requester.post(operation.request(1, responder, 0, requester.sge(0, 4), requester.sge(16, 4)));

        requester.sent(1, VerbsStatus.LOC_LEN_ERR);
        requester.expectState(QpState.ERR);
        responder.expectState(QpState.RTS);
        Pattern.expectBlank(responder.buffer(), 0, 64, "responder's memory");
    }

    private static void wrongLength(Rig rig, Operation operation, int lengthBytes) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        Pattern.blank(responder.buffer());

        requester.post(operation.request(1, responder, 0, requester.sge(0, lengthBytes)));

        requester.sent(1, VerbsStatus.LOC_LEN_ERR);
        requester.expectState(QpState.ERR);
        responder.expectState(QpState.RTS);
        Pattern.expectBlank(responder.buffer(), 0, 64, "responder's memory");
    }

    @Case("atomics of several queue pairs on one word all count (ATOMIC_HCA)")
    static void atomicsSerialised(Rig rig) throws VerbsException {
        Rig.Pair first = rig.pair();
        Side responder = first.responder();
        // A second connection into the same PD, whose requester works on the same word.
        Rig.Pair second = rig.pair();
        MemorySegment word = responder.buffer();
        int rkey = rig.closing(second.responder()
                        .pd()
                        .register(word, SideOptions.standard().regionAccess()))
                .rkey();
        for (int i = 0; i < 100; i++) {
            addOne(first.requester(), responder.at(0), responder.region().rkey(), i);
            addOne(second.requester(), responder.at(0), rkey, i);
            first.requester().sent(i, VerbsStatus.SUCCESS);
            second.requester().sent(i, VerbsStatus.SUCCESS);
        }

        Expect.equal(200L, word(word, 0), "sum of all additions");
    }

    private static void addOne(Side requester, long remoteAddress, int rkey, long wrId) {
        requester.post(new SendWorkRequest.FetchAndAdd(
                wrId, SendFlags.SIGNALLED, List.of(requester.sge(0, 8)), remoteAddress, rkey, 1));
    }

    @Case("an atomic changes its 8 bytes and nothing beside them")
    static void atomicTouches8Bytes(Side requester, Side responder) throws VerbsException {
        Pattern.blank(responder.buffer());
        Pattern.blank(requester.buffer());
        responder.buffer().set(ValueLayout.JAVA_LONG, 512, 0);

        requester.post(Operation.FETCH_AND_ADD.request(1, responder, 512, requester.sge(1024, 8)));

        requester.sent(1, VerbsStatus.SUCCESS);
        Expect.equal(Operation.ADDEND, word(responder.buffer(), 512), "word");
        Expect.equal(0L, word(requester.buffer(), 1024), "value returned");
        Pattern.expectBlank(responder.buffer(), 0, 512, "memory before the word");
        Pattern.expectBlank(responder.buffer(), 520, 512, "memory after the word");
        Pattern.expectBlank(requester.buffer(), 0, 1024, "memory before the result");
        Pattern.expectBlank(requester.buffer(), 1032, 512, "memory after the result");
    }
}
