package io.hyperverbs.lab.attacks.cases;

import io.hyperverbs.lab.attacks.AttackContext;
import io.hyperverbs.lab.attacks.Breach;
import io.hyperverbs.lab.attacks.raw.RawCq;
import io.hyperverbs.lab.attacks.raw.RawPair;
import io.hyperverbs.lab.attacks.raw.RawQp;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlRequest;
import java.lang.foreign.ValueLayout;

/** Posts more than the send ring holds, over requests that the HCA has accepted and over others. */
final class SendOverrun {
    private static final int ENTRIES = RawQp.LIMITS.sendWr();
    private static final int[] OVER = {1, 2, ENTRIES, 3 * ENTRIES};
    private static final byte WRITTEN = 0x5a;

    private final RawPair pair;
    private final RawPair witness;
    private final Facts facts = new Facts();

    private SendOverrun(AttackContext context) throws VerbsException {
        pair = new RawPair(context.device(), QpType.RC);
        witness = new RawPair(context.device(), QpType.RC);
        pair.local().memory().fill(WRITTEN);
    }

    static String run(AttackContext context) throws VerbsException, Breach {
        SendOverrun attack = new SendOverrun(context);
        for (int over : OVER) {
            attack.ofHeldRequests(over);
            attack.ofAcceptedRequests(over);
        }
        Breach.unless(attack.nothingWasWritten(), "a request of a ring that overran was executed");
        Facts.stillWorks(attack.pair, "overruns");
        return OVER.length + " overruns of held requests: none of them done; " + OVER.length + " of accepted ones: "
                + attack.facts;
    }

    /** In SQD nobody looks at the ring, and in RTS nothing of it may be believed. */
    private void ofHeldRequests(int over) throws VerbsException, Breach {
        pair.qp().modify(QpAttributes.to(QpState.SQD));
        post(ENTRIES + over);
        VerbsStatus _ =
                pair.device().status(new ControlRequest.ModifyQp(pair.qp().handle(), QpAttributes.to(QpState.RTS)));
        Facts.awaitErr(pair.qp(), over + " more than the ring holds");
        Breach.unless(pair.cq().drain() == 0, "held requests of a ring that overran completed");
        pair.reconnect();
    }

    /** The first waits for its acknowledgement for ever, so a full ring is accepted and not done. */
    private void ofAcceptedRequests(int over) throws VerbsException, Breach {
        pair.peer().reset();
        pair.qp().modify(QpAttributes.to(QpState.SQD));
        pair.qp().modify(QpAttributes.to(QpState.SQD).with(QpAttribute.TIMEOUT, 0));
        pair.qp().modify(QpAttributes.to(QpState.RTS));
        post(ENTRIES);
        // Its completion comes after the doorbells above were taken.
        Facts.stillWorks(witness, "a full ring");
        post(over);
        for (int i = 0; i < ENTRIES; i++) {
            facts.count(
                    Facts.next(pair.cq(), "request " + i + " of a full ring").status(),
                    VerbsStatus.WR_FLUSH_ERR,
                    "a request of a full ring");
        }
        Facts.awaitErr(pair.qp(), over + " more than a full ring holds");
        // Once the ring has been flushed, what is left of the others is no jump any more: posts made in ERR flush too.
        int flushed = 0;
        for (RawCq.Entry entry = pair.cq().poll();
                entry != null;
                entry = pair.cq().poll()) {
            facts.count(entry.status(), VerbsStatus.WR_FLUSH_ERR, "a request beyond a full ring");
            flushed++;
        }
        Breach.unless(flushed <= over, "more completed than was posted");
        pair.reconnect();
    }

    private void post(int count) {
        for (int i = 0; i < count; i++) {
            pair.write();
        }
    }

    private boolean nothingWasWritten() {
        for (long i = 0; i < pair.remote().memory().byteSize(); i++) {
            if (pair.remote().memory().get(ValueLayout.JAVA_BYTE, i) != 0) {
                return false;
            }
        }
        return true;
    }
}
