package io.hyperverbs.lab.attacks.load;

import io.hyperverbs.frontend.DriverDomain;
import io.hyperverbs.lab.attacks.raw.RawDevice;
import io.hyperverbs.lab.attacks.raw.RawResources;
import io.hyperverbs.verbs.VerbsException;
import java.lang.foreign.MemorySegment;

/** Sets all bits of its doorbell page as fast as it can; nothing is behind any of them. */
final class DoorbellSpin implements Load {
    private final RawDevice device;
    private final MemorySegment page;

    DoorbellSpin(Home home) throws VerbsException {
        DriverDomain own = (DriverDomain) home.domain();
        device = RawDevice.open(own, new RawResources(own));
        page = device.uar();
    }

    @Override
    public void step() {
        for (int i = 0; i < 1000; i++) {
            page.fill((byte) -1);
        }
        // The HCA may sleep; a ring of the library wakes it.
        device.ring(0);
    }
}
