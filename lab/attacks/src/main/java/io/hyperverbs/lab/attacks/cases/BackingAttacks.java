package io.hyperverbs.lab.attacks.cases;

import io.hyperverbs.lab.attacks.AttackContext;
import io.hyperverbs.lab.attacks.Breach;
import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.raw.RawDevice;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import java.util.List;

/** Has the device domain take memory and threads for it. */
public final class BackingAttacks {
    private static final int TRIES = 40;
    private static final QpLimits WIDEST = QpLimits.of(65_536, 65_536).withSge(30, 30);

    private BackingAttacks() {}

    public static List<IsolationCase> cases() {
        return List.of(new IsolationCase(
                "backing.forwarded",
                "M3",
                "opens contexts that the device domain is to forward, and asks for "
                        + TRIES
                        + " queue pairs of 65536 x 30 segments on each",
                "4 GiB of shared memory taken for a guest of 64 MiB",
                "device domain",
                "EPERM with path and setting; its memory does not grow",
                BackingAttacks::forwarded));
    }

    private static String forwarded(AttackContext attack) throws VerbsException, Breach {
        RawDevice device = attack.device();
        Facts facts = new Facts();
        for (int i = 0; i < TRIES; i++) {
            for (DataPathKind path : List.of(DataPathKind.FORWARDED, DataPathKind.FORWARDED_UNARY)) {
                ControlReply reply = device.call(new ControlRequest.OpenContext(path));
                if (reply instanceof ControlReply.ContextOpened opened) {
                    fill(device, opened.context());
                }
                Breach.unless(
                        reply instanceof ControlReply.Refused refused
                                && refused.status() == VerbsStatus.EPERM
                                && refused.message().contains("path: bypass"),
                        "a context of path " + path + ": " + reply);
                facts.count(VerbsStatus.EPERM, VerbsStatus.EPERM, "a forwarded context");
            }
        }
        return facts.toString();
    }

    /** What made the device domain grow; where it is let, the judge sees how far. */
    private static void fill(RawDevice device, long context) {
        if (device.call(new ControlRequest.AllocatePd(context)) instanceof ControlReply.PdAllocated pd
                && device.call(new ControlRequest.CreateCq(context, 16, 0, false))
                        instanceof ControlReply.CqCreated cq) {
            for (int i = 0; i < TRIES; i++) {
                var _ = device.call(
                        new ControlRequest.CreateQp(pd.pd(), QpType.RC.code(), cq.cq(), cq.cq(), 0, WIDEST));
            }
        }
    }
}
