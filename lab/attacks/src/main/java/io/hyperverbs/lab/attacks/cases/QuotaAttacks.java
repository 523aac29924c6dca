package io.hyperverbs.lab.attacks.cases;

import io.hyperverbs.lab.attacks.AttackContext;
import io.hyperverbs.lab.attacks.Breach;
import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.raw.RawDevice;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;

/** Takes all there is of something, and asks on when it is refused. */
public final class QuotaAttacks {
    private static final int MANY = 100_000;
    private static final int REFUSALS = 10_000;
    private static final Set<VerbsStatus> REFUSED =
            EnumSet.of(VerbsStatus.EAGAIN, VerbsStatus.EINVAL, VerbsStatus.ENOENT);

    private QuotaAttacks() {}

    public static List<IsolationCase> cases() {
        return List.of(
                NeighbourQuotas.atItsQuota(),
                new IsolationCase(
                        "quotas.registrations",
                        "E8",
                        "registers until it is refused, and asks 1000 times more",
                        "ReDMArk A4",
                        "device domain",
                        "EAGAIN with quota, current and maximum; others unaffected",
                        QuotaAttacks::registrations),
                new IsolationCase(
                        "quotas.objects",
                        "E9",
                        "makes objects of every kind until it is refused",
                        "ReDMArk A4: 32707 to 262100 queue pairs",
                        "device domain",
                        "EAGAIN with quota, current and maximum; others unaffected",
                        QuotaAttacks::objects),
                new IsolationCase(
                        "quotas.refusals",
                        "E19",
                        "has " + REFUSALS + " requests refused, each with long arguments",
                        "Firecracker: a guest must not clog the log",
                        "device domain",
                        "refused; log and journal stay small",
                        QuotaAttacks::refusals));
    }

    /** Makes until it is refused; how many, and the refusal. */
    private static String exhaust(RawDevice device, ControlRequest request, String quota) throws Breach {
        for (int made = 0; made < MANY; made++) {
            if (device.call(request) instanceof ControlReply.Refused refused) {
                Breach.unless(refused.status() == VerbsStatus.EAGAIN, request + " at its quota: " + refused.status());
                Breach.unless(
                        refused.message().matches("quota " + quota + ": \\d+ of \\d+ in use, .*"),
                        "a refusal without quota, current and maximum: " + refused.message());
                return made + " " + quota;
            }
        }
        throw new Breach(MANY + " times " + request);
    }

    private static String registrations(AttackContext attack) throws VerbsException, Breach {
        RawDevice device = attack.device();
        MemorySegment page = device.ram().allocate(FrameRun.FRAME_BYTES, FrameRun.FRAME_BYTES);
        ControlRequest register = new ControlRequest.RegisterMemory(
                device.pd(), page.address(), page.byteSize(), Access.LOCAL_WRITE.bit(), device.frames(page));
        String made = exhaust(device, register, "mr");
        Facts facts = new Facts();
        for (int i = 0; i < 1000; i++) {
            facts.count(device.status(register), VerbsStatus.EAGAIN, "beyond the quota");
        }
        return made + ", then " + facts;
    }

    private static String objects(AttackContext attack) throws VerbsException, Breach {
        RawDevice device = attack.device();
        long pd = device.pd();
        StringJoiner made = new StringJoiner(", ");
        made.add(exhaust(device, new ControlRequest.CreateAh(pd, AddressAttributes.of(1)), "ah"));
        made.add(exhaust(device, new ControlRequest.AllocateWindow(pd, 2), "mw"));
        made.add(exhaust(device, new ControlRequest.AllocateDmaKey(pd), "mr"));
        made.add(exhaust(device, new ControlRequest.AllocatePd(device.context()), "pd"));
        made.add(exhaust(device, new ControlRequest.OpenContext(DataPathKind.BYPASS), "uar"));
        return made + ", then refused";
    }

    private static String refusals(AttackContext attack) throws VerbsException, Breach {
        RawDevice device = attack.device();
        long pd = device.pd();
        List<FrameRun> runs = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            runs.add(new FrameRun(2L * i, 1));
        }
        ControlRequest register = new ControlRequest.RegisterMemory(pd, 0, 1, 1, runs);
        Facts facts = new Facts();
        for (int i = 0; i < REFUSALS; i++) {
            facts.count(device.status(register), REFUSED, "frames beyond the region");
        }
        return facts.toString();
    }
}
