package io.hyperverbs.lab.bench.echo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FreeConnectionsTest {
    private final FreeConnections free = new FreeConnections(64, 7);

    @Test
    void takesEachOnceInNoOrder() {
        assertThat(free.areAll()).isTrue();
        Set<Integer> taken = new HashSet<>();
        boolean isInOrder = true;
        for (int i = 0; i < 64; i++) {
            assertThat(free.isEmpty()).isFalse();
            int index = free.take();
            assertThat(index).isBetween(0, 63);
            isInOrder &= index == i;
            taken.add(index);
            assertThat(free.areAll()).isFalse();
        }

        assertThat(free.isEmpty()).isTrue();
        assertThat(taken).hasSize(64);
        assertThat(isInOrder).isFalse();
    }

    @Test
    void givesBackTheOneThatWasFreed() {
        for (int i = 0; i < 64; i++) {
            int _ = free.take();
        }
        free.free(42);

        assertThat(free.take()).isEqualTo(42);
        assertThat(free.isEmpty()).isTrue();
    }
}
