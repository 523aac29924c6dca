package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.access.AccessOracle;
import io.hyperverbs.lab.conformance.access.AccessOracle.Attempt;
import io.hyperverbs.lab.conformance.access.AccessOracle.Verdict;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Pattern;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * Two connected sides that attempts run on one after the other. After an error both go through
 * RESET to RTS again. All memory is compared with an image of what it must hold, byte by byte. For
 * one thread.
 */
final class AccessBench {
    private static final int BUFFER_BYTES = 8192;
    private static final long LOCAL_OFFSET = 512;

    private final Rig rig;
    private final Rig.Pair pair;
    private final Side requester;
    private final Side responder;
    private final MemorySegment expectedHere = image();
    private final MemorySegment expectedThere = image();
    private boolean receivePosted;
    private int qpRights;

    AccessBench(Rig rig) throws VerbsException {
        this.rig = rig;
        this.pair = rig.pair(SideOptions.standard().withRegionAccess(Windows.BINDABLE));
        this.requester = pair.requester();
        this.responder = pair.responder();
        this.qpRights = Access.mask(SideOptions.standard().qpAccess());
    }

    Side responder() {
        return responder;
    }

    /** Gives the responder's queue pair other rights, in RTS. */
    void grant(int rights) throws VerbsException {
        qpRights = rights;
        responder.qp().modify(QpAttributes.to(QpState.RTS).with(QpAttribute.ACCESS_FLAGS, rights));
    }

    /** Runs one attempt with the rights granted last, and holds it to its verdict. */
    void run(Operation operation, AccessTarget target, int keyRights, boolean samePd, AccessRange range)
            throws VerbsException {
        int length = operation.isAtomic() ? 8 : 16;
        AccessOracle.Key key = new AccessOracle.Key(samePd, keyRights, responder.at(Windows.OFFSET), Windows.BYTES);
        long address = range.address(key.base(), Windows.BYTES, length);
        int right = operation.right().map(Access::bit).orElse(0);
        boolean isOpen = key.opens(right == 0 ? Access.LOCAL_WRITE.bit() : right, address, length);
        Verdict verdict = AccessOracle.verdict(new Attempt(right, operation.consumesReceive(), qpRights, isOpen));
        String what = operation + " " + key + " " + range + ", rights of the QP " + qpRights;
        blank(operation, length);
        if (!receivePosted) {
            postReceive(operation, target, address, length);
        }

        requester.post(operation.request(1, address, target.rkey(), List.of(requester.sge(LOCAL_OFFSET, length))));

        WorkCompletion sent = requester.sends().next();
        Expect.isTrue(
                sent.wrId() == 1 && sent.status() == verdict.requester(),
                what + ": send completes " + sent + ", must be " + verdict.requester());
        expectReceive(verdict, what);
        expectStates(verdict, what);
        if (verdict.isSuccess()) {
            land(operation, (int) (address - responder.at(0)), length);
        }
        same(expectedThere, responder.buffer(), what + ": responder's memory");
        same(expectedHere, requester.buffer(), what + ": requester's memory");
        if (!verdict.isSuccess()) {
            revive(target);
        }
    }

    /** Nothing came that no attempt expected. */
    void ends() throws VerbsException {
        responder.noMoreEvents();
        requester.noMoreEvents();
        requester.sends().pollsEmpty();
        responder.receives().pollsEmpty();
    }

    private static MemorySegment image() {
        return MemorySegment.ofArray(new byte[BUFFER_BYTES]);
    }

    private void blank(Operation operation, int length) {
        for (MemorySegment memory : List.of(expectedHere, expectedThere, requester.buffer(), responder.buffer())) {
            Pattern.blank(memory);
        }
        if (operation.writesLocally()) {
            Pattern.fill(responder.buffer(), 0, BUFFER_BYTES, 3);
            Pattern.fill(expectedThere, 0, BUFFER_BYTES, 3);
        } else {
            Pattern.fill(requester.buffer(), LOCAL_OFFSET, length, 7);
            Pattern.fill(expectedHere, LOCAL_OFFSET, length, 7);
        }
    }

    private void postReceive(Operation operation, AccessTarget target, long address, int length) {
        if (operation.right().isEmpty()) {
            responder.receive(5, new Sge(address, length, target.lkey()));
        } else {
            responder.receive(5);
        }
        receivePosted = true;
    }

    private void expectReceive(Verdict verdict, String what) {
        VerbsStatus expected = verdict.receive();
        if (expected == null) {
            return;
        }
        WorkCompletion received = responder.receives().next();
        receivePosted = false;
        Expect.isTrue(
                received.wrId() == 5 && received.status() == expected,
                what + ": receive completes " + received + ", must be " + expected);
    }

    private void expectStates(Verdict verdict, String what) throws VerbsException {
        AsyncEvent.Type event = verdict.event();
        if (event != null) {
            Expect.equal(new AsyncEvent(event, responder.qp().qpn()), responder.nextEvent(), what + ": event");
        }
        QpState state = verdict.isSuccess() ? QpState.RTS : QpState.ERR;
        Expect.equal(state, requester.state(), what + ": requester's state");
        Expect.equal(state, responder.state(), what + ": responder's state");
    }

    // What a success changes, worked out on the images.
    private void land(Operation operation, int offset, int length) {
        if (!operation.writesLocally()) {
            Pattern.fill(expectedThere, offset, length, 7);
            return;
        }
        MemorySegment.copy(expectedThere, offset, expectedHere, LOCAL_OFFSET, length);
        // A swap finds another value than the zero it expects, and changes nothing.
        if (operation == Operation.FETCH_AND_ADD) {
            long before = expectedThere.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
            expectedThere.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, before + Operation.ADDEND);
        }
    }

    private static void same(MemorySegment expected, MemorySegment found, String what) {
        long at = expected.mismatch(found);
        Expect.isTrue(at < 0, what + " differs at byte " + at);
    }

    private void revive(AccessTarget target) throws VerbsException {
        Windows.revive(rig, pair);
        target.revive();
        grant(qpRights);
    }
}
