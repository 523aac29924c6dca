package io.hyperverbs.hca.tpt;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.tpt.Window.Binding;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.VendorError;
import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Binding and ending windows, against rules in arithmetic that cannot wrap. */
class WindowTableTest {
    private static final int DOMAIN = 2;
    private static final int PD = 5;
    private static final int OTHER_PD = 6;
    private static final int QPN = 77;
    private static final int OTHER_QPN = 78;
    private static final long SIZE = 64;
    private static final long MACHINE = 8192;
    private static final int ALL = 31;
    // The second ends at 2^64.
    private static final long[] BASES = {0x1000, -SIZE, 0};
    // Offsets from the base of the region, and lengths.
    private static final long[][] RANGES = {
        {0, 64},
        {0, 1},
        {63, 1},
        {8, 16},
        {0, 0},
        {64, 0},
        {64, 1},
        {0, 65},
        {-1, 2},
        {60, 8},
        {8, -8},
        {0, -1},
        {0, Long.MIN_VALUE},
        {Long.MIN_VALUE, 8},
        {32, Long.MAX_VALUE}
    };

    private final Tpt tpt = new Tpt(Contexts.ofWindows(16), 64, 16, new SplittableRandom(3));
    private final WindowTable windows = tpt.windows();
    private final CompletionError completionError = new CompletionError();
    private final Binding binding = new Binding();

    private Region region(int pd, long base, int access) {
        return tpt.create(new RegionPlan(pd, base, SIZE, access, new long[] {0, SIZE}, new long[] {MACHINE}));
    }

    private Binding binding(Window window, Region region, long address, long length, int access) {
        binding.rkey = MemoryWindow.nextKey(window.rkey());
        binding.lkey = region.lkey();
        binding.address = address;
        binding.lengthBytes = length;
        binding.access = access;
        return binding;
    }

    private Window bound(MemoryWindow.Type type, Region region) {
        Window window = tpt.createWindow(DOMAIN, region.pd(), type);
        assertThat(windows.bind(
                        region.pd(), QPN, binding(window, region, region.firstAddress(), SIZE, 4), completionError))
                .isSameAs(window);
        return window;
    }

    private static BigInteger unsigned(long value) {
        return new BigInteger(Long.toUnsignedString(value));
    }

    private static boolean isInside(long base, long address, long length) {
        BigInteger start = unsigned(address);
        return start.compareTo(unsigned(base)) >= 0
                && start.add(unsigned(length)).compareTo(unsigned(base).add(BigInteger.valueOf(SIZE))) <= 0;
    }

    /** Whether a window and a region of the queue pair's PD may be bound so. */
    private static boolean mayBind(
            MemoryWindow.Type type, boolean bound, int regionAccess, int access, boolean inside, long length) {
        boolean writes = (access & (Access.REMOTE_WRITE.bit() | Access.REMOTE_ATOMIC.bit())) != 0;
        boolean remoteOnly = (access & (Access.LOCAL_WRITE.bit() | Access.MW_BIND.bit())) == 0;
        boolean zeroBased = (access & Access.ZERO_BASED.bit()) != 0;
        return length != 0
                && inside
                && remoteOnly
                && (regionAccess & Access.MW_BIND.bit()) != 0
                && (!writes || (regionAccess & Access.LOCAL_WRITE.bit()) != 0)
                && (type == MemoryWindow.Type.ONE ? !zeroBased : !bound);
    }

    private static boolean isLegal(int access) {
        return (access & Access.LOCAL_WRITE.bit()) != 0
                || (access & (Access.REMOTE_WRITE.bit() | Access.REMOTE_ATOMIC.bit())) == 0;
    }

    /** All types, states, PDs, rights of regions and of windows, and ranges, at three bases. */
    @ParameterizedTest
    @EnumSource(MemoryWindow.Type.class)
    void bindsWhatTheRulesAllowAndNothingElse(MemoryWindow.Type type) {
        Region own = region(PD, 0, ALL);
        Region foreign = region(OTHER_PD, 0, ALL);
        for (int pds = 0; pds < 4; pds++) {
            int windowPd = (pds & 1) == 0 ? PD : OTHER_PD;
            int regionPd = (pds & 2) == 0 ? PD : OTHER_PD;
            for (int regionAccess = 0; regionAccess < 32; regionAccess++) {
                if (!isLegal(regionAccess)) {
                    continue;
                }
                for (long base : BASES) {
                    Region region = region(regionPd, base, regionAccess);
                    for (int state = 0; state < 2; state++) {
                        for (int access = 0; access < 64; access++) {
                            for (long[] range : RANGES) {
                                Region before = windowPd == PD ? own : foreign;
                                Window window =
                                        state == 0 ? tpt.createWindow(DOMAIN, windowPd, type) : bound(type, before);
                                attempt(window, region, regionAccess, base, range, access, pds);
                                tpt.destroy(window);
                            }
                        }
                    }
                    tpt.destroy(region);
                }
            }
        }
        assertThat(own.boundWindows()).isZero();
        assertThat(foreign.boundWindows()).isZero();
        assertThat(windows.live()).isZero();
    }

    private void attempt(Window window, Region region, int regionAccess, long base, long[] range, int access, int pds) {
        Region before = window.target();
        int keyBefore = window.rkey();
        long address = base + range[0];
        long length = range[1];
        boolean unbinds = length == 0 && window.type() == MemoryWindow.Type.ONE && window.pd() == PD;
        boolean expected = unbinds
                || (pds == 0
                        && mayBind(
                                window.type(),
                                before != null,
                                regionAccess,
                                access,
                                isInside(base, address, length),
                                length));

        boolean done = windows.bind(PD, QPN, binding(window, region, address, length, access), completionError) != null;

        Region after = !done ? before : unbinds ? null : region;
        boolean right = done == expected
                && window.target() == after
                && region.boundWindows() == (after == region ? 1 : 0)
                && (before == null || before.boundWindows() == (after == before ? 1 : 0))
                && window.rkey() == (done && !unbinds ? binding.rkey : keyBefore)
                && isOpen(window.pd(), keyBefore) == (!done && before != null)
                && isOpen(PD, binding.rkey) == (done && !unbinds);
        if (!right) {
            throw new AssertionError(String.format(
                    "type %s, PDs %d, bound %b, region 0x%x, window 0x%x, base 0x%x,"
                            + " address 0x%x, length %d: bound %b, must be %b",
                    window.type(), pds, before != null, regionAccess, access, base, address, length, done, expected));
        }
        if (done && !unbinds) {
            shows(window, access, address, length);
        }
    }

    private boolean isOpen(int pd, int rkey) {
        int error = 0;
        if (tpt.remote(pd, QPN, rkey, 1, -1, 0, completionError) == null) {
            error = completionError.vendorError();
        }
        return error != VendorError.KEY_NOT_IN_PD.code();
    }

    /** The view shows just those bytes, at the addresses that peers name. */
    private void shows(Window window, int access, long address, long length) {
        long first = (access & Access.ZERO_BASED.bit()) != 0 ? 0 : address;
        int rights = access & 14;
        Region view = tpt.remote(PD, QPN, window.rkey(), first, length, rights, completionError);
        boolean right = view == window.view()
                && tpt.remote(PD, QPN, window.rkey(), first, length + 1, 0, completionError) == null
                && tpt.remote(PD, QPN, window.rkey(), first - 1, 1, 0, completionError) == null
                && tpt.remote(OTHER_PD, QPN, window.rkey(), first, 1, 0, completionError) == null
                && (tpt.remote(PD, OTHER_QPN, window.rkey(), first, 1, 0, completionError) != null)
                        == (window.type() == MemoryWindow.Type.ONE)
                && (rights == 14 || tpt.remote(PD, QPN, window.rkey(), first, 1, ~rights & 14, completionError) == null)
                && view.machineAddress(first - view.virtualAddress())
                        == MACHINE + address - window.target().virtualAddress();
        if (!right) {
            throw new AssertionError(String.format(
                    "type %s, access 0x%x, address 0x%x, length %d: shows other bytes",
                    window.type(), access, address, length));
        }
    }

    @Test
    void invalidatesOnlyTheExactKeyOfItsOwnQueuePairAndPd() {
        for (MemoryWindow.Type type : MemoryWindow.Type.values()) {
            for (boolean free : new boolean[] {false, true}) {
                for (int qpn : new int[] {QPN, OTHER_QPN, 0}) {
                    for (int pd : new int[] {PD, OTHER_PD}) {
                        for (int bit = -1; bit < 32; bit++) {
                            Region region = region(PD, 0, ALL);
                            Window window = free ? tpt.createWindow(DOMAIN, PD, type) : bound(type, region);
                            int key = bit < 0 ? window.rkey() : window.rkey() ^ 1 << bit;

                            Window found = windows.invalidatable(pd, qpn, key, completionError);

                            boolean may = type == MemoryWindow.Type.TWO && !free && qpn == QPN && pd == PD && bit < 0;
                            assertThat(found).isSameAs(may ? window : null);
                            tpt.destroy(window);
                            tpt.destroy(region);
                        }
                    }
                }
            }
        }
    }

    @Test
    void regionsCannotBeInvalidated() {
        Region region = region(PD, 0, ALL);

        assertThat(windows.invalidatable(PD, QPN, region.rkey(), completionError))
                .isNull();
        assertThat(windows.invalidatable(PD, QPN, region.lkey(), completionError))
                .isNull();
        assertThat(completionError.vendorError()).isEqualTo(VendorError.NOT_INVALIDATABLE.code());
    }

    @Test
    void sameKeyIsNotBoundTwiceInARow() {
        Region region = region(PD, 0, ALL);
        Window window = bound(MemoryWindow.Type.TWO, region);
        windows.unbind(window);
        binding(window, region, 0, 1, 4).rkey = window.rkey();

        assertThat(windows.bind(PD, QPN, binding, completionError)).isNull();
        assertThat(completionError.vendorError()).isEqualTo(VendorError.WINDOW_STATE.code());

        binding.rkey = MemoryWindow.nextKey(window.rkey());
        assertThat(windows.bind(PD, QPN, binding, completionError)).isSameAs(window);
    }

    @Test
    void findsWindowsOfAQueuePairAlone() {
        Region region = region(PD, 0, ALL);
        Window first = bound(MemoryWindow.Type.TWO, region);
        bound(MemoryWindow.Type.ONE, region);
        Window second = bound(MemoryWindow.Type.TWO, region);
        tpt.createWindow(DOMAIN, PD, MemoryWindow.Type.TWO);

        assertThat(windows.boundTo(QPN, 0)).isSameAs(first);
        assertThat(windows.boundTo(QPN, first.number())).isSameAs(second);
        assertThat(windows.boundTo(QPN, second.number())).isNull();
        assertThat(windows.boundTo(OTHER_QPN, 0)).isNull();
        assertThat(region.boundWindows()).isEqualTo(3);
    }

    @Test
    void findsTheOnlyWindowOfAQueuePairWhateverOthersDo() {
        Region region = region(PD, 0, ALL);
        Window ofType2 = bound(MemoryWindow.Type.TWO, region);

        assertThat(windows.boundTo(QPN, 0)).isSameAs(ofType2);

        Window ofType1 = bound(MemoryWindow.Type.ONE, region);
        windows.unbind(ofType1);
        assertThat(windows.boundTo(QPN, 0)).isSameAs(ofType2);
        assertThat(windows.live()).isEqualTo(2);

        windows.unbind(ofType2);
        assertThat(windows.boundTo(QPN, 0)).isNull();
    }

    @Test
    void isExactlyFullAtItsSize() {
        for (int i = 0; i < 16; i++) {
            assertThat(tpt.createWindow(DOMAIN, PD, MemoryWindow.Type.ONE)).isNotNull();
        }
        assertThat(tpt.createWindow(DOMAIN, PD, MemoryWindow.Type.ONE)).isNull();

        tpt.destroy(windows.byNumber(8));

        assertThat(tpt.createWindow(DOMAIN, PD, MemoryWindow.Type.TWO).number()).isEqualTo(8);
    }

    @Test
    void numbersOfNoWindowNameNone() {
        Window first = tpt.createWindow(DOMAIN, PD, MemoryWindow.Type.ONE);

        assertThat(windows.byNumber(first.number())).isSameAs(first);
        for (int number : new int[] {0, -1, 2, 16, 17, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            assertThat(windows.byNumber(number)).as("%d", number).isNull();
        }
    }

    @Test
    void replacingARegionEndsItsKeysAndKeepsItsNumber() {
        Region former = region(PD, 0x1000, ALL);

        Region region =
                tpt.replace(former, new RegionPlan(OTHER_PD, 0, 32, 1, new long[] {0, 32}, new long[] {MACHINE}));

        assertThat(region.number()).isEqualTo(former.number());
        assertThat(tpt.byNumber(former.number())).isSameAs(region);
        assertThat(tpt.live()).isEqualTo(1);
        assertThat(tpt.local(PD, former.lkey(), 0x1000, 1, 0, completionError)).isNull();
        assertThat(tpt.remote(PD, QPN, former.rkey(), 0x1000, 1, 0, completionError))
                .isNull();
        assertThat(tpt.local(OTHER_PD, region.lkey(), 0, 32, 1, completionError))
                .isSameAs(region);
        assertThat(region.rkey()).isZero();
        assertThat(region.lkey()).isNotEqualTo(former.lkey());
    }
}
