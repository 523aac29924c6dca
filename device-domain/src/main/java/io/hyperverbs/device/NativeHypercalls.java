package io.hyperverbs.device;

import io.hyperverbs.vmm.hypercall.BackendHypercalls;
import io.hyperverbs.vmm.hypercall.Boot;
import io.hyperverbs.vmm.hypercall.DomainNotice;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.hypercall.Hypercalls;
import io.hyperverbs.vmm.hypercall.NetworkDevice;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.memory.FrameKind;
import io.hyperverbs.vmm.memory.MappedExtent;
import java.time.Duration;
import java.util.Optional;

/**
 * What a native domain asks of the VMM, answered inside the device domain: its RAM and the HCA's
 * pages are slices of the machine memory that the device domain has mapped, the store is reached on
 * its behalf. Any thread.
 */
final class NativeHypercalls implements Hypercalls {
    private final BackendHypercalls machine;
    private final DomainNotice.Added domain;
    private final Runnable wakeEngine;
    private final Boot boot;

    NativeHypercalls(BackendHypercalls machine, DomainNotice.Added domain, Runnable wakeEngine) {
        this.machine = machine;
        this.domain = domain;
        this.wakeEngine = wakeEngine;
        this.boot = new Boot(domain.domain(), domain.name(), domain.ram(), domain.settings());
    }

    @Override
    public Boot boot() {
        return boot;
    }

    @Override
    public void ready() {
        // The VMM takes the backend's acknowledgement for it.
    }

    /** The reference is the machine frame of the page: nothing had to be granted. */
    @Override
    public MappedExtent mapGrant(long reference) {
        return new MappedExtent(
                reference,
                1,
                FrameKind.UAR,
                machine.machineMemory().asSlice(reference * FrameRun.FRAME_BYTES, FrameRun.FRAME_BYTES));
    }

    @Override
    public void unmap(MappedExtent extent) {
        // A slice of memory that stays mapped.
    }

    @Override
    public void storeWrite(String key, String value) throws HypercallException {
        machine.storeWriteFor(domain.domain(), key, value);
    }

    @Override
    public void storeRemove(String key) throws HypercallException {
        machine.storeWriteFor(domain.domain(), key, null);
    }

    @Override
    public Optional<String> storeRead(String path, Duration wait) throws HypercallException {
        return machine.storeRead(path, wait);
    }

    @Override
    public Optional<NetworkDevice> takeNetwork() throws HypercallException {
        return machine.takeNetworkFor(domain.domain());
    }

    @Override
    public void ringDoorbellEvent() {
        wakeEngine.run();
    }

    @Override
    public void onVmmGone(Runnable action) {
        machine.onVmmGone(action);
    }

    @Override
    public void close() {
        // The connection is the device domain's.
    }
}
