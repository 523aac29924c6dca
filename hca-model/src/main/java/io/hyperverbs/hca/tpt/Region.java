package io.hyperverbs.hca.tpt;

import io.hyperverbs.hca.tpt.Window.Binding;
import io.hyperverbs.verbs.Access;

/**
 * What a key names: a range of addresses, where it lies in machine memory, and what may be done to
 * it. A registered region never changes; the view of a memory window is set at each bind.
 */
public final class Region {
    /** As {@link #onlyQpn}: any queue pair of the PD. */
    static final int ANY_QPN = 0;

    private final int number;
    private final int pd;
    private final int lkey;
    private final int rkey;
    // The address that offset 0 of the segments has; of a window, it may lie outside of its range.
    private long virtualAddress;
    private long firstAddress;
    private long lengthBytes;
    private int access;
    private int onlyQpn;
    // Piece i holds the bytes from starts[i] to starts[i + 1] of the region, at addresses[i].
    private long[] starts;
    private long[] addresses;
    private int boundWindows;

    Region(int number, int lkey, int rkey, RegionPlan plan) {
        this.number = number;
        this.pd = plan.pd();
        this.lkey = lkey;
        this.rkey = rkey;
        this.virtualAddress = plan.virtualAddress();
        this.firstAddress = plan.virtualAddress();
        this.lengthBytes = plan.lengthBytes();
        this.access = plan.access();
        this.starts = plan.starts();
        this.addresses = plan.addresses();
    }

    /** The view of a window that is not bound: a range of no bytes. */
    Region(int number, int pd) {
        this.number = number;
        this.pd = pd;
        this.lkey = 0;
        this.rkey = 0;
        this.starts = new long[] {0};
        this.addresses = new long[0];
    }

    /** Makes this view show {@code target}'s bytes as {@code binding} says; it is checked. */
    void retarget(Region target, Binding binding, int qpn) {
        boolean zeroBased = (binding.access & Access.ZERO_BASED.bit()) != 0;
        virtualAddress = target.virtualAddress - (zeroBased ? binding.address : 0);
        firstAddress = zeroBased ? 0 : binding.address;
        lengthBytes = binding.lengthBytes;
        access = binding.access;
        onlyQpn = qpn;
        starts = target.starts;
        addresses = target.addresses;
    }

    public int number() {
        return number;
    }

    public int pd() {
        return pd;
    }

    public int lkey() {
        return lkey;
    }

    /** 0 without remote rights. */
    public int rkey() {
        return rkey;
    }

    /** The address that offset 0 of the segments has: subtract it to get an offset. */
    public long virtualAddress() {
        return virtualAddress;
    }

    /** The lowest address that the key names. */
    public long firstAddress() {
        return firstAddress;
    }

    public long lengthBytes() {
        return lengthBytes;
    }

    public int access() {
        return access;
    }

    public int runCount() {
        return addresses.length;
    }

    /** The one queue pair that may be reached through it, or {@link #ANY_QPN}. */
    int onlyQpn() {
        return onlyQpn;
    }

    /** Windows bound to it now. */
    public int boundWindows() {
        return boundWindows;
    }

    void addBoundWindows(int change) {
        boundWindows += change;
    }

    /** Whether all of {@code rights} were given. */
    boolean allows(int rights) {
        return (access & rights) == rights;
    }

    /** Machine address of the byte at {@code offset}, which is within the region. */
    public long machineAddress(long offset) {
        int run = addresses.length == 1 ? 0 : runOf(offset);
        return addresses[run] + (offset - starts[run]);
    }

    /** Bytes from {@code offset} on that are contiguous in the machine. */
    public long contiguousBytes(long offset) {
        int run = addresses.length == 1 ? 0 : runOf(offset);
        return starts[run + 1] - offset;
    }

    private int runOf(long offset) {
        int low = 0;
        int high = addresses.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (starts[middle] <= offset) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
