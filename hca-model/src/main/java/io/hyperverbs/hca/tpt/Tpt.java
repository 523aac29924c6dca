package io.hyperverbs.hca.tpt;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.number.RandomNumbers;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.VendorError;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The translation and protection table: regions by number, and by key inside their PD. Local and
 * remote keys are independent random numbers (24-bit index, 8-bit tag drawn at each use of an
 * index); a released index waits in quarantine. Engine thread only.
 */
public final class Tpt {
    private static final int REMOTE_RIGHTS =
            Access.REMOTE_READ.bit() | Access.REMOTE_WRITE.bit() | Access.REMOTE_ATOMIC.bit();
    private static final int QUARANTINE = 1 << 16;

    private final @Nullable Region[] regions;
    private final KeyTable localKeys;
    private final KeyTable remoteKeys;
    private final WindowTable windows;
    private final RandomNumbers keyIndexes;
    private final RandomGenerator random;
    private int nextNumber;
    private int live;

    public Tpt(ContextMemory contexts, int maxRegions, int maxWindows, RandomGenerator random) {
        this.regions = new Region[maxRegions + 1];
        this.localKeys = new KeyTable(maxRegions);
        this.remoteKeys = new KeyTable(maxRegions + maxWindows);
        this.windows = new WindowTable(contexts, localKeys, remoteKeys, maxWindows);
        this.keyIndexes = new RandomNumbers(random, 2 * maxRegions + maxWindows, QUARANTINE);
        this.random = random;
    }

    /** Memory windows; their keys are looked up with {@link #remote} too. */
    public WindowTable windows() {
        return windows;
    }

    /** A new window that is not bound, or null if the table is full. */
    public @Nullable Window createWindow(int domain, int pd, MemoryWindow.Type type) {
        return windows.isFull() ? null : windows.create(domain, pd, type, freshKey());
    }

    /** Ends a window, bound or not. */
    public void destroy(Window window) {
        windows.destroy(window);
        keyIndexes.release(window.keyIndex());
    }

    /** The new region, or null if the table is full. */
    public @Nullable Region create(RegionPlan plan) {
        if (live == regions.length - 1) {
            return null;
        }
        live++;
        return enter(freeNumber(), plan);
    }

    /**
     * Re-registers a region under its number. From now on no access through its old keys is granted.
     */
    public Region replace(Region former, RegionPlan plan) {
        forgetKeys(former);
        return enter(former.number(), plan);
    }

    private Region enter(int number, RegionPlan plan) {
        int lkey = freshKey();
        int rkey = (plan.access() & REMOTE_RIGHTS) == 0 ? 0 : freshKey();
        Region region = new Region(number, lkey, rkey, plan);
        regions[number] = region;
        localKeys.put(plan.pd(), lkey, region);
        if (rkey != 0) {
            remoteKeys.put(plan.pd(), rkey, region);
        }
        return region;
    }

    /** From now on no access through its keys is granted. */
    public void destroy(Region region) {
        forgetKeys(region);
        regions[region.number()] = null;
        live--;
    }

    private void forgetKeys(Region region) {
        localKeys.remove(region.pd(), region.lkey());
        keyIndexes.release(region.lkey() >>> 8);
        if (region.rkey() != 0) {
            remoteKeys.remove(region.pd(), region.rkey());
            keyIndexes.release(region.rkey() >>> 8);
        }
    }

    /** The region with that number, or null. */
    public @Nullable Region byNumber(int number) {
        return number > 0 && number < regions.length ? regions[number] : null;
    }

    public int live() {
        return live;
    }

    /**
     * Grants or denies an access through a local key.
     *
     * @param rights {@link Access} bits needed; local read is 0
     * @return the region, or null with {@code fault} saying why
     */
    public @Nullable Region local(int pd, int lkey, long address, long lengthBytes, int rights, CompletionError error) {
        Region region = localKeys.find(pd, lkey);
        return judge(region, pd, Region.ANY_QPN, lkey, address, lengthBytes, rights, error);
    }

    /**
     * Grants or denies an access through a remote key, of a region or a bound window; as {@link
     * #local}.
     *
     * @param qpn of the responder: a window of type 2 is reached through one queue pair alone
     */
    public @Nullable Region remote(
            int pd, int qpn, int rkey, long address, long lengthBytes, int rights, CompletionError error) {
        Region region = remoteKeys.find(pd, rkey);
        return judge(region, pd, qpn, rkey, address, lengthBytes, rights, error);
    }

    static @Nullable Region judge(
            @Nullable Region region,
            int pd,
            int qpn,
            int key,
            long address,
            long lengthBytes,
            int rights,
            CompletionError error) {
        if (region == null) {
            error.set(VendorError.KEY_NOT_IN_PD, key, pd, address, lengthBytes);
            return null;
        }
        if (region.onlyQpn() != Region.ANY_QPN && region.onlyQpn() != qpn) {
            error.set(VendorError.WINDOW_OF_OTHER_QP, key, pd, address, lengthBytes);
            return null;
        }
        if (!region.allows(rights)) {
            error.set(VendorError.KEY_RIGHTS, key, pd, address, lengthBytes);
            return null;
        }
        if (!RangeCheck.isWithin(region.firstAddress(), region.lengthBytes(), address, lengthBytes)) {
            error.set(VendorError.KEY_RANGE, key, pd, address, lengthBytes);
            return null;
        }
        return region;
    }

    // Numbers go round, so that a number freed a moment ago is not the next one given.
    private int freeNumber() {
        do {
            nextNumber = nextNumber == regions.length - 1 ? 1 : nextNumber + 1;
        } while (regions[nextNumber] != null);
        return nextNumber;
    }

    private int freshKey() {
        return keyIndexes.take() << 8 | random.nextInt(256);
    }
}
