package io.hyperverbs.vmm.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.VerbsStatus;

import org.junit.jupiter.api.Test;

import java.util.concurrent.CompletableFuture;

class StoreTest {
    private static final StorePath KEY = StorePath.of("a", "key");

    private final Store store = new Store();

    @Test
    void answersAllWhoWaitForTheKey() {
        CompletableFuture<String> one = store.await(KEY);
        CompletableFuture<String> two = store.await(KEY);
        CompletableFuture<String> other = store.await(StorePath.of("b", "key"));

        store.write(KEY, "value");

        assertThat(one).isCompletedWithValue("value");
        assertThat(two).isCompletedWithValue("value");
        assertThat(other).isNotDone();
        assertThat(store.waiters()).isOne();
    }

    @Test
    void forgetsWhoGaveUp() {
        store.await(KEY).cancel(false);

        assertThat(store.waiters()).isZero();
    }

    @Test
    void answersAtOnceWhatIsThere() {
        store.write(KEY, "value");

        assertThat(store.await(KEY)).isCompletedWithValue("value");
        assertThat(store.waiters()).isZero();
    }

    @Test
    void boundsKeysOfOneName() {
        for (int i = 0; i < Store.MAX_KEYS; i++) {
            assertThat(store.write(StorePath.of("a", "k" + i), "")).isEqualTo(VerbsStatus.SUCCESS);
        }

        assertThat(store.write(KEY, "")).isEqualTo(VerbsStatus.EAGAIN);

        assertThat(store.write(StorePath.of("b", "key"), "")).isEqualTo(VerbsStatus.SUCCESS);
        store.remove(StorePath.of("a", "k0"));
        assertThat(store.write(KEY, "")).isEqualTo(VerbsStatus.SUCCESS);
    }

    @Test
    void boundsBytesOfOneName() {
        String half = "x".repeat(Store.MAX_VALUE_BYTES / 2);
        store.write(KEY, half);
        store.write(StorePath.of("a", "other"), half);

        assertThat(store.write(StorePath.of("a", "more"), "x")).isEqualTo(VerbsStatus.EAGAIN);
        // Replaced, not added.
        assertThat(store.write(KEY, half)).isEqualTo(VerbsStatus.SUCCESS);
        store.write(StorePath.of("b", "key"), "theirs");
        store.removeAll("a");
        assertThat(store.read(KEY)).isEmpty();
        assertThat(store.read(StorePath.of("b", "key"))).contains("theirs");
        assertThat(store.write(StorePath.of("a", "more"), half + half))
                .isEqualTo(VerbsStatus.SUCCESS);
    }

    @Test
    void removedBytesAreFreeAgain() {
        String all = "x".repeat(Store.MAX_VALUE_BYTES);
        StorePath other = StorePath.of("a", "other");
        for (int i = 0; i < 3; i++) {
            assertThat(store.write(KEY, all)).isEqualTo(VerbsStatus.SUCCESS);
            assertThat(store.write(other, "x")).isEqualTo(VerbsStatus.EAGAIN);

            store.remove(KEY);
            store.remove(KEY);
            store.remove(other);
        }

        assertThat(store.read(KEY)).isEmpty();
        assertThat(store.write(other, all)).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(store.write(KEY, "x")).isEqualTo(VerbsStatus.EAGAIN);
    }

    @Test
    void whoWaitsOnIsAnsweredWhenAnotherGaveUp() {
        CompletableFuture<String> impatient = store.await(KEY);
        CompletableFuture<String> patient = store.await(KEY);
        impatient.cancel(false);
        assertThat(store.waiters()).isOne();

        store.write(KEY, "value");

        assertThat(patient).isCompletedWithValue("value");
        assertThat(store.waiters()).isZero();
    }

    @Test
    void countsBytesNotCharacters() {
        assertThat(store.write(KEY, "\u20ac".repeat(Store.MAX_VALUE_BYTES / 2)))
                .isEqualTo(VerbsStatus.EAGAIN);
        assertThat(store.read(KEY)).isEmpty();
    }

    @Test
    void parsesFullPathsAlone() {
        assertThat(StorePath.parse("domain/a/qp/1")).isEqualTo(new StorePath("a", "qp/1"));
        assertThat(StorePath.of("a", "qp/1")).hasToString("domain/a/qp/1");
        for (String bad :
                new String[] {
                    "",
                    "a",
                    "domain/a",
                    "domain/a/",
                    "domain//x",
                    "/domain/a/x",
                    "domain/a/x y",
                    "domain/a/\u0000"
                }) {
            assertThat(StorePath.parse(bad)).as(bad).isNull();
        }
    }
}
