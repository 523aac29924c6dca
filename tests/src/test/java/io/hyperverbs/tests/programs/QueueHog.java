package io.hyperverbs.tests.programs;

import io.hyperverbs.frontend.DriverDomain;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.vmm.io.ControlPath;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import java.time.Duration;

/**
 * Has the device domain take memory for queue pairs that it is to forward, without a driver that
 * would take as much itself: as many of 65 536 requests of 30 segments as a hostile guest asked
 * for, then of 4 096 until a quota refuses it. Says what it got and how it was refused, and holds
 * all until the key {@code end} of the toolstack.
 */
public final class QueueHog {
    private static final int TRIES = 40;
    private static final int SEGMENTS = 30;
    private static final int WIDEST = 65_536;
    private static final int WIDE = 4_096;

    /** Far more than any quota here allows. */
    private static final int MANY = 1_000;

    /** The test does more meanwhile, maybe on a busy computer. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Domain domain = Domain.current();
    private final ControlPath control = ((DriverDomain) domain).control();

    private QueueHog() {}

    public static void main(String[] args) throws Exception {
        QueueHog hog = new QueueHog();
        ControlReply context = hog.control.call(new ControlRequest.OpenContext(DataPathKind.FORWARDED));
        if (context instanceof ControlReply.ContextOpened opened) {
            hog.say("widest", hog.create(opened.context(), WIDEST, TRIES));
            hog.say("wide", hog.create(opened.context(), WIDE, MANY));
        } else {
            hog.say("refused", words(context));
        }
        var _ = hog.domain.store().await("tool", "end", PATIENCE);
    }

    private void say(String key, String value) throws VerbsException {
        System.out.println(key + ": " + value);
        domain.store().write(key, value);
    }

    /** Tries that many, or until a quota refuses: how many it got, and the last refusal. */
    private String create(long context, int requests, int tries) {
        if (!(control.call(new ControlRequest.AllocatePd(context)) instanceof ControlReply.PdAllocated pd)
                || !(control.call(new ControlRequest.CreateCq(context, 16, 0, false))
                        instanceof ControlReply.CqCreated cq)) {
            return "no protection domain or completion queue";
        }
        QpLimits limits = QpLimits.of(requests, requests).withSge(SEGMENTS, SEGMENTS);
        int made = 0;
        String refusal = "";
        for (int i = 0; i < tries && !refusal.contains("quota"); i++) {
            ControlReply reply =
                    control.call(new ControlRequest.CreateQp(pd.pd(), QpType.RC.code(), cq.cq(), cq.cq(), 0, limits));
            if (reply instanceof ControlReply.QpCreated) {
                made++;
            } else {
                refusal = words(reply);
            }
        }
        return made + " made, then " + refusal;
    }

    private static String words(ControlReply reply) {
        return reply instanceof ControlReply.Refused refused
                ? refused.status() + ": " + refused.message()
                : reply.toString();
    }
}
