package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.CmCall;
import io.hyperverbs.lab.conformance.rig.CmPair;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmConnection;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmParameters;
import java.time.Duration;
import java.util.List;

/** What the messages of the connection manager can hold, and what they cannot. */
@CaseGroup("cm")
public final class CmSizeCases {
    private static final String RANGE = "a value that its field of the REQ cannot hold: EINVAL (IBA 12.6.5)";
    private static final String SIZE = "private data fills its field and not a byte more: EINVAL (IBA 12.6)";

    private CmSizeCases() {}

    /** A parameter that is out of range. */
    private record Bad(String name, CmParameters parameters) {}

    @CaseFamily
    static void families(CaseList cases) {
        for (Bad bad : bad()) {
            cases.add("refuses-" + bad.name, RANGE, rig -> refusesParameters(rig, bad.parameters));
        }
    }

    private static List<Bad> bad() {
        CmParameters good = CmPair.standard();
        return List.of(
                new Bad("too-many-responders", good.withReads(17, 1)),
                new Bad("negative-responders", good.withReads(-1, 1)),
                new Bad("too-deep-initiator", good.withReads(1, 17)),
                new Bad("negative-initiator", good.withReads(1, -1)),
                new Bad("retry-count-8", good.withRetries(8, 7, 14)),
                new Bad("retry-count-negative", good.withRetries(-1, 7, 14)),
                new Bad("rnr-retry-8", good.withRetries(7, 8, 14)),
                new Bad("rnr-retry-negative", good.withRetries(7, -1, 14)),
                new Bad("ack-timeout-32", good.withRetries(7, 7, 32)),
                new Bad("ack-timeout-negative", good.withRetries(7, 7, -1)),
                new Bad("no-response-time", good.withResponseTimeout(Duration.ZERO)),
                new Bad("endless-response-time", good.withResponseTimeout(Duration.ofHours(1))));
    }

    private static PrivateData data(int lengthBytes) {
        byte[] bytes = new byte[lengthBytes];
        for (int i = 0; i < lengthBytes; i++) {
            bytes[i] = (byte) (i + 1);
        }
        return PrivateData.of(bytes);
    }

    private interface WithData {
        void call(PrivateData data) throws VerbsException;
    }

    /** One byte too many is refused and changes nothing; the very size is accepted. */
    private static PrivateData fits(int maxBytes, WithData verb) throws VerbsException {
        Expect.refused(
                VerbsStatus.EINVAL, maxBytes + 1 + " bytes of private data", () -> verb.call(data(maxBytes + 1)));
        verb.call(data(maxBytes));
        return data(maxBytes);
    }

    @Case(SIZE)
    static void reqDataSize(Rig rig) throws VerbsException {
        CmCall call = CmCall.open(rig);

        PrivateData sent = fits(
                92,
                data -> call.out()
                        .connect(
                                call.caller().side().qp(),
                                CmPair.SERVICE,
                                CmPair.standard().withPrivateData(data)));

        Expect.equal(sent, call.callee().next(CmEvent.Type.CONNECT_REQUEST).privateData(), "data");
    }

    @Case(SIZE)
    static void repDataSize(Rig rig) throws VerbsException {
        CmCall call = CmCall.open(rig);
        CmConnection in = call.arrives();
        CmParameters manual = CmPair.manual();

        PrivateData sent = fits(196, data -> in.accept(call.callee().side().qp(), manual.withPrivateData(data)));

        Expect.equal(sent, call.caller().next(CmEvent.Type.ESTABLISHED).privateData(), "data");
    }

    @Case(SIZE)
    static void rejDataSize(Rig rig) throws VerbsException {
        CmCall call = CmCall.open(rig);
        CmConnection in = call.arrives();

        PrivateData sent = fits(148, in::reject);

        Expect.equal(sent, call.caller().next(CmEvent.Type.REJECTED).privateData(), "data");
    }

    @Case(SIZE)
    static void rtuDataSize(Rig rig) throws VerbsException {
        CmCall call = CmCall.open(rig);
        call.out().connect(call.caller().side().qp(), CmPair.SERVICE, CmPair.manual());
        call.callee()
                .next(CmEvent.Type.CONNECT_REQUEST)
                .connection()
                .accept(call.callee().side().qp(), CmPair.standard());
        var _ = call.caller().next(CmEvent.Type.CONNECT_RESPONSE);

        PrivateData sent = fits(224, call.out()::establish);

        Expect.equal(sent, call.callee().next(CmEvent.Type.ESTABLISHED).privateData(), "data");
    }

    @Case(SIZE)
    static void dreqDataSize(Rig rig) throws VerbsException {
        CmPair ends = CmPair.connect(rig);

        PrivateData sent = fits(220, ends.out()::disconnect);

        Expect.equal(sent, ends.callee().next(CmEvent.Type.DISCONNECTED).privateData(), "data");
    }

    @Case(SIZE)
    static void drepDataSize(Rig rig) throws VerbsException {
        CmPair ends = CmPair.connect(rig);
        ends.out().disconnect(PrivateData.none());
        var _ = ends.callee().next(CmEvent.Type.DISCONNECTED);

        PrivateData sent = fits(224, ends.in()::disconnect);

        Expect.equal(sent, ends.caller().next(CmEvent.Type.DISCONNECTED).privateData(), "data");
    }

    private static void refusesParameters(Rig rig, CmParameters bad) throws VerbsException {
        CmCall call = CmCall.open(rig);

        Expect.refused(
                VerbsStatus.EINVAL,
                "connect with " + bad,
                () -> call.out().connect(call.caller().side().qp(), CmPair.SERVICE, bad));

        call.callee().noEvent();
        CmConnection in = call.arrives();
        Expect.refused(
                VerbsStatus.EINVAL,
                "accept with " + bad,
                () -> in.accept(call.callee().side().qp(), bad.withTransitions(CmParameters.Transitions.PROGRAM)));
    }
}
