package io.hyperverbs.hca.tpt;

/**
 * A registered region: where its virtual range lies in machine memory, and what may be done to it.
 * Immutable.
 */
public final class Region {
    private final int number;
    private final int pd;
    private final int lkey;
    private final int rkey;
    private final long virtualAddress;
    private final long lengthBytes;
    private final int access;
    // Piece i holds the bytes from starts[i] to starts[i + 1] of the region, at addresses[i].
    private final long[] starts;
    private final long[] addresses;

    Region(int number, int lkey, int rkey, RegionPlan plan) {
        this.number = number;
        this.pd = plan.pd();
        this.lkey = lkey;
        this.rkey = rkey;
        this.virtualAddress = plan.virtualAddress();
        this.lengthBytes = plan.lengthBytes();
        this.access = plan.access();
        this.starts = plan.starts();
        this.addresses = plan.addresses();
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

    public long virtualAddress() {
        return virtualAddress;
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
