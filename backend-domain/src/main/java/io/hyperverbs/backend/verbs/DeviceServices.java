package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.event.EventRoutes;
import io.hyperverbs.backend.management.Management;
import io.hyperverbs.hca.HcaCommands;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.vmm.hypercall.BackendHypercalls;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.memory.MappedExtent;

/**
 * What the driver works with.
 *
 * @param statusPage the HCA's, granted read-only to each context
 * @param wakeEngine ends a sleep of the engine after the backend itself rang a doorbell
 */
public record DeviceServices(
        HcaCommands hca,
        HcaLimits limits,
        PortSettings ports,
        BackendHypercalls machine,
        MappedExtent statusPage,
        EventRoutes routes,
        Runnable wakeEngine,
        Management management) {

    long statusPageMachineAddress() {
        return statusPage.firstMachineFrame() * FrameRun.FRAME_BYTES;
    }
}
