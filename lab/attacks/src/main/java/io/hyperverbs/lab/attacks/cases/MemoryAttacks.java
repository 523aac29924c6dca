package io.hyperverbs.lab.attacks.cases;

import io.hyperverbs.lab.attacks.AttackContext;
import io.hyperverbs.lab.attacks.Breach;
import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.raw.RawDevice;
import io.hyperverbs.lab.attacks.raw.RawPair;
import io.hyperverbs.lab.attacks.raw.RawQp;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.memory.MappedExtent;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Frames that are named in registrations. */
public final class MemoryAttacks {
    private static final String GROUP = "memory.";
    private static final long BUFFER = 0x10_0000;

    private MemoryAttacks() {}

    public static List<IsolationCase> cases() {
        return List.of(
                new IsolationCase(
                        GROUP + "foreign-frames",
                        "B14",
                        "registers frames of others: 3000 over the whole machine, and those beside" + " its own",
                        "Xen grant checks, CVE-2018-1059",
                        "all domains",
                        "EFAULT",
                        MemoryAttacks::foreignFrames),
                new IsolationCase(
                        GROUP + "own-rings",
                        "B16",
                        "registers its rings, to have a peer write them",
                        "what an IOMMU keeps apart",
                        "HCA",
                        "EFAULT",
                        MemoryAttacks::ownRings),
                new IsolationCase(
                        GROUP + "absurd-lengths",
                        "B18",
                        "registers lengths that do not fit their frames, up to 2^63",
                        "CVE-2021-3607 (QEMU pvrdma), CVE-2020-10722 (DPDK vhost)",
                        "device domain",
                        "EINVAL or EFAULT",
                        MemoryAttacks::absurdLengths));
    }

    private static String foreignFrames(AttackContext context) throws VerbsException, Breach {
        RawDevice device = context.device();
        long pd = device.pd();
        List<MappedExtent> own = device.machine().boot().ram();
        Facts facts = new Facts();
        for (MappedExtent extent : own) {
            long end = extent.firstMachineFrame() + extent.frames();
            register(device, pd, facts, new FrameRun(end, 1));
            register(device, pd, facts, new FrameRun(end - 1, 2));
            register(device, pd, facts, new FrameRun(extent.firstMachineFrame() - 1, 1));
            register(device, pd, facts, new FrameRun(extent.firstMachineFrame() - 1, 2));
        }
        for (int i = 0; i < 3000; i++) {
            long frame = i < 1000 ? i : (i - 1000) * 53L;
            if (!isOwn(own, frame)) {
                register(device, pd, facts, new FrameRun(frame, 1));
            }
        }
        for (long frame : new long[] {1L << 31, 1L << 40, (1L << 50) - 1}) {
            register(device, pd, facts, new FrameRun(frame, 1));
        }
        return facts.toString();
    }

    private static boolean isOwn(List<MappedExtent> own, long frame) {
        return own.stream()
                .anyMatch(extent ->
                        frame >= extent.firstMachineFrame() && frame < extent.firstMachineFrame() + extent.frames());
    }

    private static void register(RawDevice device, long pd, Facts facts, FrameRun run) throws Breach {
        VerbsStatus status = device.status(
                new ControlRequest.RegisterMemory(pd, BUFFER, run.lengthBytes(), RawPair.ALL, List.of(run)));
        facts.count(status, VerbsStatus.EFAULT, "frames " + run);
    }

    private static String ownRings(AttackContext context) throws VerbsException, Breach {
        RawDevice device = context.device();
        RawPair pair = new RawPair(device, QpType.RC);
        long pd = device.pd();
        Facts facts = new Facts();
        List<FrameRun> rings = new ArrayList<>(device.frames(pair.qp().memory()));
        rings.addAll(device.frames(pair.cq().memory()));
        for (RawQp qp : List.of(pair.qp(), pair.peer())) {
            rings.addAll(device.frames(qp.ring().memory()));
        }
        for (FrameRun run : rings) {
            register(device, pd, facts, run);
        }
        return facts.toString();
    }

    private static String absurdLengths(AttackContext context) throws VerbsException, Breach {
        RawDevice device = context.device();
        long pd = device.pd();
        FrameRun one = device.frames(device.ram().allocate(4096, 4096)).getFirst();
        Facts facts = new Facts();
        long[] lengths = {
            0, -1, 4097, 8192, 1L << 31, 1L << 32, (1L << 32) + 1, 1L << 52, Long.MAX_VALUE, Long.MIN_VALUE
        };
        for (long length : lengths) {
            for (long address : new long[] {0, 0x1000, -4096, Long.MAX_VALUE}) {
                facts.count(
                        device.status(
                                new ControlRequest.RegisterMemory(pd, address, length, RawPair.ALL, List.of(one))),
                        Set.of(VerbsStatus.EINVAL, VerbsStatus.EFAULT, VerbsStatus.EAGAIN),
                        length + " bytes in one frame");
            }
        }
        return facts.toString();
    }
}
