package io.hyperverbs.hca.rc;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.tpt.Region;
import io.hyperverbs.hca.transport.Message;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Atomics on machine memory ({@code ATOMIC_HCA}: against each other by the one engine thread; that
 * they are processor atomics besides makes them so against the guest's own).
 */
final class Atomics {
    private static final VarHandle WORD =
            ValueLayout.JAVA_LONG.withOrder(LITTLE_ENDIAN).varHandle().withInvokeExactBehavior();

    private final MemorySegment machineMemory;

    Atomics(MemorySegment machineMemory) {
        this.machineMemory = machineMemory;
    }

    /**
     * Whether the word is aligned in the machine too: a region may be registered at any virtual
     * address, and a misaligned processor atomic throws.
     */
    static boolean isAligned(Message message, Region region) {
        long offset = message.remoteAddress - region.virtualAddress();
        return (region.machineAddress(offset) & 7) == 0 && region.contiguousBytes(offset) >= Long.BYTES;
    }

    /** Executes an atomic on an aligned word of {@code region}. @return the value before it */
    long execute(Message message, Region region) {
        long address = region.machineAddress(message.remoteAddress - region.virtualAddress());
        return message.opcode == SendWqeLayout.OPCODE_FETCH_AND_ADD
                ? (long) WORD.getAndAdd(machineMemory, address, message.expectedOrAddend)
                : (long) WORD.compareAndExchange(machineMemory, address, message.expectedOrAddend, message.replacement);
    }
}
