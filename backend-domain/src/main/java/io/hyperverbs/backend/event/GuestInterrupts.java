package io.hyperverbs.backend.event;

import io.hyperverbs.hca.InterruptLine;
import io.hyperverbs.vmm.posix.Futex;

/**
 * Interrupts of the HCA: to the backend's relay, and to domains that sleep on words of their own pages. Engine thread
 * only.
 *
 * @param relay of the events that are not posted
 * @param machineAddress where the machine's memory begins in this process
 */
public record GuestInterrupts(InterruptLine relay, long machineAddress) implements InterruptLine {
    @Override
    public void raise() {
        relay.raise();
    }

    @Override
    public void wake(long address) {
        Futex.wake(machineAddress + address);
    }
}
