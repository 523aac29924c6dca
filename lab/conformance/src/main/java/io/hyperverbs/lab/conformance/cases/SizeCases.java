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
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Messages of every size, in every number of pieces. */
@CaseGroup("rc")
public final class SizeCases {
    /** Around a cache line, a page, the path MTU and the engine's chunks, and odd. */
    private static final int[] SIZES = {0, 1, 8, 63, 64, 65, 4096, 65536, 100_001, 1 << 20};

    private static final int MARGIN = 512;
    private static final int SEED = 9;

    /** Bytes that the split cases move; no piece count divides them. */
    private static final int SPLIT_BYTES = 1009;

    private SizeCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        for (Operation operation : List.of(
                Operation.SEND, Operation.SEND_WITH_IMM, Operation.WRITE, Operation.WRITE_WITH_IMM, Operation.READ)) {
            for (int size : SIZES) {
                cases.add(
                        operation.label() + "-" + size + "-bytes",
                        "a message of any length arrives whole, and nothing beside it is touched",
                        rig -> moves(rig, operation, size));
            }
        }
        for (int from = 1; from <= 4; from++) {
            for (int to = 1; to <= 4; to++) {
                int gather = from;
                int scatter = to;
                cases.add(
                        "send-" + from + "-pieces-into-" + to,
                        "pieces are gathered and scattered in the order of their list (ibv_post_send)",
                        rig -> sendSplit(rig, gather, scatter));
            }
            int pieces = from;
            cases.add(
                    "write-of-" + from + "-pieces",
                    "a write gathers its pieces in order (ibv_post_send)",
                    rig -> writeSplit(rig, pieces));
            cases.add(
                    "read-into-" + from + "-pieces",
                    "a read scatters into its pieces in order (ibv_post_send)",
                    rig -> readSplit(rig, pieces));
        }
    }

    private static void moves(Rig rig, Operation operation, int lengthBytes) throws VerbsException {
        SideOptions options = SideOptions.standard().withBufferBytes(Math.max(4096, lengthBytes + 2L * MARGIN));
        Rig.Pair pair = rig.pair(options);
        Side requester = pair.requester();
        Side responder = pair.responder();
        Side source = operation == Operation.READ ? responder : requester;
        Side target = operation == Operation.READ ? requester : responder;
        Pattern.blank(target.buffer());
        Pattern.fill(source.buffer(), MARGIN, lengthBytes, SEED);
        if (operation.consumesReceive()) {
            responder.receive(5, responder.sge(MARGIN, lengthBytes));
        }

        requester.post(operation.request(1, responder, MARGIN, requester.sge(MARGIN, lengthBytes)));

        requester.sent(1, VerbsStatus.SUCCESS);
        if (operation.consumesReceive()) {
            Expect.equal(lengthBytes, responder.received(5, VerbsStatus.SUCCESS).byteCount(), "bytes");
        }
        Pattern.expectAlone(target.buffer(), MARGIN, lengthBytes, SEED, "data moved");
    }

    /**
     * Pieces of {@link #SPLIT_BYTES} in all, apart from each other, later ones at lower addresses.
     */
    private static List<Sge> pieces(Side side, int count) {
        List<Sge> pieces = new ArrayList<>();
        int left = SPLIT_BYTES;
        for (int i = 0; i < count; i++) {
            int length = i == count - 1 ? left : SPLIT_BYTES / count + 7 * i;
            pieces.add(side.sge((count - i) * 1500L, length));
            left -= length;
        }
        return pieces;
    }

    /** The bytes of the pieces in the order of the list. */
    private static MemorySegment gathered(Side side, List<Sge> pieces) {
        MemorySegment all = MemorySegment.ofArray(new byte[SPLIT_BYTES]);
        long at = 0;
        for (Sge piece : pieces) {
            long offset = piece.address() - side.region().address();
            MemorySegment.copy(side.buffer(), offset, all, at, piece.lengthBytes());
            at += piece.lengthBytes();
        }
        return all;
    }

    private static void scatter(Side side, List<Sge> pieces) {
        MemorySegment all = MemorySegment.ofArray(new byte[SPLIT_BYTES]);
        Pattern.fill(all, 0, SPLIT_BYTES, SEED);
        long at = 0;
        for (Sge piece : pieces) {
            long offset = piece.address() - side.region().address();
            MemorySegment.copy(all, at, side.buffer(), offset, piece.lengthBytes());
            at += piece.lengthBytes();
        }
    }

    private static void sendSplit(Rig rig, int gather, int scatter) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        Side responder = pair.responder();
        List<Sge> from = pieces(requester, gather);
        List<Sge> to = pieces(responder, scatter);
        scatter(requester, from);
        responder.receive(5, to.toArray(Sge[]::new));

        requester.post(Operation.SEND.request(1, 0, 0, from));

        requester.sent(1, VerbsStatus.SUCCESS);
        Expect.equal(SPLIT_BYTES, responder.received(5, VerbsStatus.SUCCESS).byteCount(), "bytes");
        Pattern.expect(gathered(responder, to), 0, SPLIT_BYTES, SEED, "data in pieces");
    }

    private static void writeSplit(Rig rig, int gather) throws VerbsException {
        Rig.Pair pair = rig.pair();
        List<Sge> from = pieces(pair.requester(), gather);
        scatter(pair.requester(), from);
        Side responder = pair.responder();
        Pattern.blank(responder.buffer());

        pair.requester()
                .post(Operation.WRITE.request(
                        1, responder.at(3), responder.region().rkey(), from));

        pair.requester().sent(1, VerbsStatus.SUCCESS);
        Pattern.expectAlone(responder.buffer(), 3, SPLIT_BYTES, SEED, "data gathered");
    }

    private static void readSplit(Rig rig, int scatter) throws VerbsException {
        Rig.Pair pair = rig.pair();
        Side requester = pair.requester();
        List<Sge> to = pieces(requester, scatter);
        Side responder = pair.responder();
        Pattern.fill(responder.buffer(), 3, SPLIT_BYTES, SEED);

        requester.post(
                Operation.READ.request(1, responder.at(3), responder.region().rkey(), to));

        requester.sent(1, VerbsStatus.SUCCESS);
        Pattern.expect(gathered(requester, to), 0, SPLIT_BYTES, SEED, "data scattered");
    }

    @Case("a piece of 0 bytes moves nothing; choice: it never means 2^31")
    static void piecesOfNoLength(Side requester, Side responder) throws VerbsException {
        Pattern.blank(responder.buffer());
        Pattern.fill(requester.buffer(), 0, 50, SEED);
        responder.receive(
                5, responder.sge(0, 0), responder.sge(1024, 30), responder.sge(0, 0), responder.sge(1054, 30));

        requester.post(Operation.SEND.request(
                1, requester.sge(0, 20), requester.sge(4000, 0), requester.sge(20, 30), requester.sge(0, 0)));

        requester.sent(1, VerbsStatus.SUCCESS);
        Expect.equal(50, responder.received(5, VerbsStatus.SUCCESS).byteCount(), "bytes");
        Pattern.expectAlone(responder.buffer(), 1024, 50, SEED, "data in pieces");
    }
}
