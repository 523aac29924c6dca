package io.hyperverbs.hca.tpt;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.MwContextLayout;
import io.hyperverbs.hca.layout.MwContextLayout.Field;
import io.hyperverbs.hca.tpt.Window.Binding;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.MemoryWindow;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What context memory says of windows. */
class WindowContextTest {
    private static final int PD = 5;
    private static final int QPN = 77;
    private static final long SIZE = 4096;

    private final ContextMemory contexts = Contexts.ofWindows(4);
    private final Tpt tpt = new Tpt(contexts, 4, 4, new SplittableRandom(8));
    private final Region region =
            tpt.create(new RegionPlan(PD, 0x1000, SIZE, Access.ALL_BITS, new long[] {0, SIZE}, new long[1]));
    private final Window window = tpt.createWindow(9, PD, MemoryWindow.Type.TWO);

    private long get(Field field) {
        long entry = contexts.entry(Table.MW, window.number() - 1, MwContextLayout.SIZE_BYTES);
        return MwContextLayout.get(contexts.memory(), entry, field);
    }

    private void bind() {
        Binding binding = new Binding();
        binding.rkey = MemoryWindow.nextKey(window.rkey());
        binding.lkey = region.lkey();
        binding.address = 0x1010;
        binding.lengthBytes = 32;
        binding.access = Access.REMOTE_READ.bit();
        assertThat(tpt.windows().bind(PD, QPN, binding, new CompletionError())).isSameAs(window);
    }

    @Test
    void newWindowIsNotBound() {
        assertThat(get(Field.NUMBER)).isEqualTo(window.number());
        assertThat(get(Field.DOMAIN)).isEqualTo(9);
        assertThat(get(Field.PD)).isEqualTo(PD);
        assertThat(get(Field.TYPE)).isEqualTo(2);
        assertThat(get(Field.RKEY)).isEqualTo(window.rkey());
        assertThat(get(Field.EVER_BOUND)).isZero();
        assertThat(get(Field.REGION)).isZero();
    }

    @Test
    void bindSaysWhatItShows() {
        bind();

        assertThat(get(Field.REGION)).isEqualTo(region.number());
        assertThat(get(Field.RKEY)).isEqualTo(window.rkey());
        assertThat(get(Field.EVER_BOUND)).isEqualTo(1);
        assertThat(get(Field.QPN)).isEqualTo(QPN);
        assertThat(get(Field.ADDRESS)).isEqualTo(0x1010);
        assertThat(get(Field.LENGTH_BYTES)).isEqualTo(32);
        assertThat(get(Field.ACCESS)).isEqualTo(Access.REMOTE_READ.bit());
    }

    @Test
    void invalidationLeavesTheKeyThatMayNotComeBack() {
        bind();

        tpt.windows().unbind(window);

        assertThat(get(Field.REGION)).isZero();
        assertThat(get(Field.RKEY)).isEqualTo(window.rkey());
        assertThat(get(Field.EVER_BOUND)).isEqualTo(1);
        assertThat(get(Field.NUMBER)).isEqualTo(window.number());
    }

    @Test
    void entryIsFreeWhenTheWindowIsGone() {
        bind();

        tpt.destroy(window);

        long entry = contexts.entry(Table.MW, window.number() - 1, MwContextLayout.SIZE_BYTES);
        assertThat(ContextMemoryLayout.isInUse(contexts.memory(), entry)).isFalse();
        assertThat(get(Field.REGION)).isZero();
    }

    @Test
    void entryTellsNothingOfTheWindowBefore() {
        bind();
        tpt.destroy(window);

        Window next = null;
        for (int i = 0; i < 4; i++) {
            next = tpt.createWindow(9, PD, MemoryWindow.Type.TWO);
        }

        assertThat(next.number()).isEqualTo(window.number());
        assertThat(get(Field.EVER_BOUND)).isZero();
        assertThat(get(Field.REGION)).isZero();
        assertThat(get(Field.RKEY)).isEqualTo(next.rkey()).isNotEqualTo(window.rkey());
    }
}
