package io.hyperverbs.tests.programs;

import io.hyperverbs.frontend.DriverDomain;
import io.hyperverbs.lab.attacks.raw.RawDevice;
import io.hyperverbs.lab.attacks.raw.RawResources;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.memory.MappedExtent;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Registers each 64th frame of the machine, one at a time, and counts what it is answered: of its own
 * frames and of others'. Argument: how many frames to try.
 */
public final class ForeignFrames {
    private static final int STEP = 64;

    private ForeignFrames() {}

    public static void main(String[] args) throws Exception {
        DriverDomain domain = (DriverDomain) Domain.current();
        RawDevice device = RawDevice.open(domain, new RawResources(domain));
        MappedExtent own = device.machine().boot().ram().getFirst();
        long pd = device.pd();
        Map<VerbsStatus, Integer> ofOwn = new TreeMap<>();
        Map<VerbsStatus, Integer> ofOthers = new TreeMap<>();
        for (long frame = 0; frame < Long.parseLong(args[0]); frame += STEP) {
            boolean isOwn = frame >= own.firstMachineFrame() && frame < own.firstMachineFrame() + own.frames();
            VerbsStatus status = device.status(new ControlRequest.RegisterMemory(
                    pd,
                    0x10_0000,
                    FrameRun.FRAME_BYTES,
                    Access.mask(Set.of(Access.LOCAL_WRITE)),
                    List.of(new FrameRun(frame, 1))));
            (isOwn ? ofOwn : ofOthers).merge(status, 1, Integer::sum);
        }
        System.out.println("first " + own.firstMachineFrame());
        System.out.println("own " + ofOwn.keySet());
        System.out.println("others " + ofOthers.keySet());
    }
}
