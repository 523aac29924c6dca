package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.List;

/** Completion queues that grow and shrink. */
@CaseGroup("cq")
public final class CqResizeCases {
    static final int ENTRIES = 16;

    private CqResizeCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        for (int wanted : new int[] {1, 2, 15, 16, 17, 100, 4096}) {
            cases.add(
                    "resize-empty-to-" + wanted,
                    "a resized CQ holds at least what was asked (ibv_resize_cq)",
                    rig -> resizeEmpty(rig, wanted));
        }
        for (int wanted : new int[] {8, 16, 64, 1000}) {
            cases.add(
                    "resize-with-8-entries-to-" + wanted,
                    "completions not yet polled are there after a resize, in order (ibv_resize_cq)",
                    rig -> resizeWithEntries(rig, wanted));
        }
        for (int bad : new int[] {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            cases.add(
                    "resize-refuses-" + bad,
                    "no size, or one above max_cqe: EINVAL, and nothing changes (ibv_resize_cq)",
                    rig -> resizeRefuses(rig, bad, 0));
        }
        cases.add(
                "resize-refuses-less-than-unpolled",
                "a size below the completions not yet polled: EINVAL, nothing changes",
                rig -> resizeRefuses(rig, 4, 8));
    }

    static SendWorkRequest nothing(long wrId) {
        return Operation.WRITE.request(wrId);
    }

    static Rig.Pair pair(Rig rig) throws VerbsException {
        SideOptions standard = SideOptions.standard();
        return rig.pair(standard.withCqEntries(ENTRIES).withLimits(QpLimits.of(64, 16)), standard);
    }

    /** So many completions lie in the requester's send CQ, numbered from {@code first}. */
    static void complete(Rig.Pair pair, long first, int count) {
        for (int i = 0; i < count; i++) {
            pair.requester().post(nothing(first + i));
        }
        pair.responder().receive(5);
        pair.requester().post(Operation.SEND.request(99, SendFlags.NONE, 0, 0, List.of()));
        pair.responder().received(5, VerbsStatus.SUCCESS);
    }

    static void sent(Side side, long first, int count) {
        for (int i = 0; i < count; i++) {
            side.sent(first + i, VerbsStatus.SUCCESS);
        }
    }

    private static void resizeEmpty(Rig rig, int wanted) throws VerbsException {
        Rig.Pair pair = pair(rig);
        CompletionQueue cq = pair.requester().sendCq();

        cq.resize(wanted);

        Expect.isTrue(cq.capacity() >= wanted, "capacity " + cq.capacity() + ", asked " + wanted);
        for (int round = 0; round < 3; round++) {
            int count = Math.min(cq.capacity(), 40);
            complete(pair, 100, count);
            sent(pair.requester(), 100, count);
        }
        pair.requester().expectState(QpState.RTS);
    }

    private static void resizeWithEntries(Rig rig, int wanted) throws VerbsException {
        Rig.Pair pair = pair(rig);
        complete(pair, 1, 8);

        pair.requester().sendCq().resize(wanted);

        sent(pair.requester(), 1, 8);
        pair.requester().noMoreSends();
    }

    private static void resizeRefuses(Rig rig, int size, int unpolled) throws VerbsException {
        Rig.Pair pair = pair(rig);
        CompletionQueue cq = pair.requester().sendCq();
        complete(pair, 1, unpolled);

        Expect.refused(VerbsStatus.EINVAL, "resize to " + size, () -> cq.resize(size));

        Expect.equal(ENTRIES, cq.capacity(), "capacity");
        complete(pair, 1 + unpolled, ENTRIES - unpolled);
        sent(pair.requester(), 1, ENTRIES);
        pair.requester().noMoreSends();
    }

    @Case("as many entries as completions not yet polled are enough")
    static void resizeToExactlyWhatIsUnpolled(Rig rig) throws VerbsException {
        Rig.Pair pair = pair(rig);
        complete(pair, 1, 12);
        sent(pair.requester(), 1, 4);

        pair.requester().sendCq().resize(8);

        Expect.equal(8, pair.requester().sendCq().capacity(), "capacity");
        sent(pair.requester(), 5, 8);
        complete(pair, 20, 8);
        sent(pair.requester(), 20, 8);
        pair.requester().expectState(QpState.RTS);
    }

    @Case("a full CQ can be made larger, and takes more then")
    static void resizeWhenFull(Rig rig) throws VerbsException {
        Rig.Pair pair = pair(rig);
        complete(pair, 0, ENTRIES);

        pair.requester().sendCq().resize(2 * ENTRIES);

        complete(pair, ENTRIES, ENTRIES);
        sent(pair.requester(), 0, 2 * ENTRIES);
        pair.requester().noMoreSends();
    }

    @Case("completions that lie across the end of the ring stay in order")
    static void resizeAfterWrap(Rig rig) throws VerbsException {
        for (int wanted : new int[] {8, 32}) {
            Rig.Pair pair = pair(rig);
            complete(pair, 0, 12);
            sent(pair.requester(), 0, 12);
            complete(pair, 12, 8);

            pair.requester().sendCq().resize(wanted);

            sent(pair.requester(), 12, 8);
            complete(pair, 20, 8);
            sent(pair.requester(), 20, 8);
        }
    }

    @Case("growing and shrinking while requests complete loses and repeats none")
    static void resizeUnderTraffic(Rig rig) throws VerbsException {
        Rig.Pair pair = pair(rig);
        Side requester = pair.requester();
        int[] sizes = {64, 32, 128, 32, 1024, 16, 33};
        long posted = 0;
        long polled = 0;
        for (int round = 0; round < 70; round++) {
            while (posted - polled < 12) {
                requester.post(nothing(posted++));
            }
            requester.sendCq().resize(sizes[round % sizes.length]);
            for (int i = 0; i < 9; i++) {
                requester.sent(polled++, VerbsStatus.SUCCESS);
            }
        }
        while (polled < posted) {
            requester.sent(polled++, VerbsStatus.SUCCESS);
        }
        requester.noMoreSends();
    }

    @Case("a CQ of receives is resized while messages arrive: none lost or repeated")
    static void resizeReceiveCqUnderTraffic(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair(SideOptions.standard().withCqEntries(ENTRIES));
        Side responder = pair.responder();
        int[] sizes = {64, 16, 256, 32};
        long received = 0;
        for (int round = 0; round < 40; round++) {
            for (int i = 0; i < 8; i++) {
                responder.receive(8L * round + i);
                pair.requester().post(Operation.SEND.request(7, SendFlags.NONE, 0, 0, List.of()));
            }
            responder.receiveCq().resize(sizes[round % sizes.length]);
            for (int i = 0; i < 8; i++) {
                responder.received(received++, VerbsStatus.SUCCESS);
            }
            // Frees what was sent without a completion.
            pair.requester().noMoreSends();
        }
        responder.receives().pollsEmpty();
    }
}
