package io.hyperverbs.backend.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.vmm.io.ObjectKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class HandleTableTest {
    @Test
    void holdsExactlyItsCapacity() {
        HandleTable<String> table = new HandleTable<>(ObjectKind.CQ, 2, new Random(1));

        long first = table.add("a");
        long second = table.add("b");
        long third = table.add("c");

        assertThat(List.of(first, second)).doesNotContain(0L).doesNotHaveDuplicates();
        assertThat(third).isZero();
        assertThat(table.objects()).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void hasNoMoreSlotsThanItsHandlesCanName() {
        Random random = new Random(1);
        for (int capacity : new int[] {-1, HandleTable.MAX_CAPACITY + 1, Integer.MIN_VALUE}) {
            assertThatThrownBy(() -> new HandleTable<>(ObjectKind.CQ, capacity, random))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("capacity " + capacity);
        }

        assertThat(new HandleTable<String>(ObjectKind.CQ, 0, random).add("a")).isZero();
        HandleTable<String> full = new HandleTable<>(ObjectKind.CQ, HandleTable.MAX_CAPACITY, random);
        Set<Long> given = new HashSet<>();
        for (int i = 0; i < HandleTable.MAX_CAPACITY; i++) {
            given.add(full.add("a"));
        }
        assertThat(given).hasSize(HandleTable.MAX_CAPACITY).doesNotContain(0L);
        assertThat(full.add("a")).isZero();
    }

    @Test
    void neverGivesAHandleTwice() {
        HandleTable<String> table = new HandleTable<>(ObjectKind.QP, 1, new Random(2));
        Set<Long> given = new HashSet<>();

        for (int i = 0; i < 10_000; i++) {
            long handle = table.add("x");
            assertThat(given.add(handle)).isTrue();
            assertThat(table.remove(handle)).isEqualTo("x");
            assertThat(table.get(handle)).isNull();
            assertThat(table.remove(handle)).isNull();
        }
    }

    @Test
    void knowsNoHandleOfAnotherKindOrTable() {
        HandleTable<String> queues = new HandleTable<>(ObjectKind.CQ, 16, new Random(3));
        HandleTable<String> sameSeed = new HandleTable<>(ObjectKind.QP, 16, new Random(3));
        HandleTable<String> otherSession = new HandleTable<>(ObjectKind.CQ, 16, new Random(4));
        long handle = queues.add("mine");
        sameSeed.add("theirs");
        otherSession.add("theirs");

        assertThat(sameSeed.get(handle)).isNull();
        assertThat(otherSession.get(handle)).isNull();
    }

    @Test
    void survivesHandlesThatNobodyGave() {
        HandleTable<String> table = new HandleTable<>(ObjectKind.PD, 3, new Random(5));
        table.add("a");
        Random random = new Random(6);

        for (long handle : new long[] {0, -1, 3, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertThat(table.get(handle)).isNull();
        }
        for (int i = 0; i < 100_000; i++) {
            assertThat(table.get(random.nextLong())).isNull();
        }
    }

    @Test
    void followsAModelThroughRandomOperations() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        HandleTable<Integer> table = new HandleTable<>(ObjectKind.REGION, 8, random);
        Map<Long, Integer> model = new HashMap<>();
        List<Long> ever = new ArrayList<>(List.of(1L));

        for (int step = 0; step < 20_000; step++) {
            long known = ever.get(random.nextInt(ever.size()));
            switch (random.nextInt(3)) {
                case 0 -> {
                    long handle = table.add(step);
                    assertThat(handle == 0).as("seed %d", seed).isEqualTo(model.size() == 8);
                    if (handle != 0) {
                        model.put(handle, step);
                        ever.add(handle);
                    }
                }
                case 1 -> assertThat(table.remove(known)).as("seed %d", seed).isEqualTo(model.remove(known));
                default -> assertThat(table.get(known)).as("seed %d", seed).isEqualTo(model.get(known));
            }
            assertThat(table.size()).isEqualTo(model.size());
        }
    }

    @Test
    void givesEachObjectToOneRemoverOnly() throws InterruptedException {
        HandleTable<Integer> table = new HandleTable<>(ObjectKind.CQ, 64, new Random(7));
        Map<Integer, Integer> removed = new ConcurrentHashMap<>();
        List<Long> handles = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            handles.add(table.add(i));
        }
        Runnable remover = () -> handles.forEach(handle -> {
            Integer object = table.remove(handle);
            if (object != null) {
                removed.merge(object, 1, Integer::sum);
            }
        });

        Thread one = Thread.ofPlatform().start(remover);
        Thread two = Thread.ofPlatform().start(remover);
        one.join();
        two.join();

        assertThat(removed).hasSize(64);
        assertThat(removed.values()).containsOnly(1);
    }
}
