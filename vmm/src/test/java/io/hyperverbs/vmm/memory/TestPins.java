package io.hyperverbs.vmm.memory;

import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.PosixException;

/** What a device domain has of the pins of one of its domains. */
final class TestPins {
    private TestPins() {}

    static DomainPins of(FrameTable table, int owner) throws PosixException {
        DomainPins pins = new DomainPins();
        for (Extent extent : table.ownedBy(owner)) {
            if (extent.kind() == FrameKind.RAM) {
                try (Fd memory = table.duplicatePins(extent)) {
                    pins.add(extent.firstMachineFrame(), extent.frames(), memory);
                }
            }
        }
        return pins;
    }
}
