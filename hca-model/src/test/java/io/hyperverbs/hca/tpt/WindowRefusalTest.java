package io.hyperverbs.hca.tpt;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.tpt.Window.Binding;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.VendorError;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Why a bind, an invalidation or an access was refused, and with which numbers. */
class WindowRefusalTest {
    private static final int PD = 5;
    private static final int OTHER_PD = 6;
    private static final int QPN = 77;
    private static final int OTHER_QPN = 78;
    private static final long BASE = 0x1000;
    private static final long SIZE = 64;

    private final Tpt tpt = new Tpt(Contexts.ofWindows(4), 4, 4, new SplittableRandom(9));
    private final WindowTable windows = tpt.windows();
    private final CompletionError completionError = new CompletionError();
    private final Binding binding = new Binding();
    private final Region region = tpt.create(new RegionPlan(
            PD, BASE, SIZE, Access.ALL_BITS & ~Access.ZERO_BASED.bit(), new long[] {0, SIZE}, new long[] {8192}));
    private final Window one = tpt.createWindow(2, PD, MemoryWindow.Type.ONE);
    private final Window two = tpt.createWindow(2, PD, MemoryWindow.Type.TWO);

    @BeforeEach
    void bindTheWindowOfTypeTwo() {
        asks(two, Access.REMOTE_READ.bit());
        assertThat(windows.bind(PD, QPN, binding, completionError)).isSameAs(two);
    }

    private void asks(Window window, int access) {
        binding.rkey = MemoryWindow.nextKey(window.rkey());
        binding.lkey = region.lkey();
        binding.address = BASE + 8;
        binding.lengthBytes = 16;
        binding.access = access;
    }

    private void saysWhy(VendorError error, int key, int pd, long address, long lengthBytes) {
        assertThat(completionError.vendorError()).isEqualTo(error.code());
        assertThat(completionError.key()).isEqualTo(key);
        assertThat(completionError.pd()).isEqualTo(pd);
        assertThat(completionError.address()).isEqualTo(address);
        assertThat(completionError.lengthBytes()).isEqualTo(lengthBytes);
    }

    @Test
    void bindOfAWindowOfAnotherPdNamesTheKey() {
        asks(one, 0);

        assertThat(windows.bind(OTHER_PD, QPN, binding, completionError)).isNull();

        saysWhy(VendorError.WINDOW_NOT_IN_PD, binding.rkey, OTHER_PD, BASE + 8, 16);
    }

    @Test
    void bindOfABoundWindowNamesItsState() {
        asks(two, 0);

        assertThat(windows.bind(PD, QPN, binding, completionError)).isNull();

        saysWhy(VendorError.WINDOW_STATE, binding.rkey, PD, BASE + 8, 16);
    }

    @Test
    void bindWithRightsThatNoWindowHasNamesThem() {
        asks(one, Access.LOCAL_WRITE.bit());

        assertThat(windows.bind(PD, QPN, binding, completionError)).isNull();

        saysWhy(VendorError.WINDOW_FORM, binding.rkey, PD, Access.LOCAL_WRITE.bit(), 16);
    }

    @Test
    void bindBeyondTheRegionNamesItsKey() {
        asks(one, 0);
        binding.lengthBytes = SIZE;

        assertThat(windows.bind(PD, QPN, binding, completionError)).isNull();

        saysWhy(VendorError.KEY_RANGE, region.lkey(), PD, BASE + 8, SIZE);
    }

    @Test
    void invalidationOfAWindowOfTypeOneIsOfNone() {
        assertThat(windows.invalidatable(PD, QPN, one.rkey(), completionError)).isNull();

        saysWhy(VendorError.NOT_INVALIDATABLE, one.rkey(), PD, 0, 0);
    }

    @Test
    void invalidationThroughAnotherQueuePairSaysSo() {
        assertThat(windows.invalidatable(PD, OTHER_QPN, two.rkey(), completionError))
                .isNull();

        saysWhy(VendorError.WINDOW_OF_OTHER_QP, two.rkey(), PD, 0, 0);
        assertThat(windows.invalidatable(PD, QPN, two.rkey(), completionError)).isSameAs(two);
    }

    @Test
    void invalidationOfAFreeWindowNamesItsState() {
        windows.unbind(two);

        assertThat(windows.invalidatable(PD, QPN, two.rkey(), completionError)).isNull();

        saysWhy(VendorError.WINDOW_STATE, two.rkey(), PD, 0, 0);
    }

    @Test
    void accessThroughAnotherQueuePairSaysSo() {
        assertThat(tpt.remote(PD, OTHER_QPN, two.rkey(), BASE + 8, 4, 0, completionError))
                .isNull();

        saysWhy(VendorError.WINDOW_OF_OTHER_QP, two.rkey(), PD, BASE + 8, 4);
        assertThat(tpt.remote(PD, QPN, two.rkey(), BASE + 8, 4, 0, completionError))
                .isSameAs(two.view());
    }
}
