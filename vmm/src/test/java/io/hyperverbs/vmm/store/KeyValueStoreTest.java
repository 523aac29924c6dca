package io.hyperverbs.vmm.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.VerbsStatus;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class KeyValueStoreTest {
    private static final StorePath KEY = StorePath.of("a", "key");

    private final KeyValueStore store = new KeyValueStore();

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
        for (int i = 0; i < KeyValueStore.MAX_KEYS; i++) {
            assertThat(store.write(StorePath.of("a", "k" + i), "")).isEqualTo(VerbsStatus.SUCCESS);
        }

        assertThat(store.write(KEY, "")).isEqualTo(VerbsStatus.EAGAIN);

        assertThat(store.write(StorePath.of("b", "key"), "")).isEqualTo(VerbsStatus.SUCCESS);
        store.remove(StorePath.of("a", "k0"));
        assertThat(store.write(KEY, "")).isEqualTo(VerbsStatus.SUCCESS);
    }

    @Test
    void boundsBytesOfOneName() {
        String half = "x".repeat(KeyValueStore.MAX_VALUE_BYTES / 2);
        store.write(KEY, half);
        store.write(StorePath.of("a", "other"), half);

        assertThat(store.write(StorePath.of("a", "more"), "x")).isEqualTo(VerbsStatus.EAGAIN);
        // Replaced, not added.
        assertThat(store.write(KEY, half)).isEqualTo(VerbsStatus.SUCCESS);
        store.write(StorePath.of("b", "key"), "theirs");
        store.end("a");
        store.begin("a");
        assertThat(store.read(KEY)).isEmpty();
        assertThat(store.read(StorePath.of("b", "key"))).contains("theirs");
        assertThat(store.write(StorePath.of("a", "more"), half + half)).isEqualTo(VerbsStatus.SUCCESS);
    }

    @Test
    void whatAnEndedNameWroteCanBeRead() {
        store.write(KEY, "result");

        store.end("a");

        assertThat(store.read(KEY)).contains("result");
        assertThat(store.await(KEY)).isCompletedWithValue("result");
    }

    @Test
    void whoWaitsForAnEndedNameIsAnsweredAtOnce() {
        CompletableFuture<String> before = store.await(KEY);
        CompletableFuture<String> other = store.await(StorePath.of("b", "key"));

        store.end("a");

        assertThat(before).isCompletedExceptionally();
        assertThat(store.await(KEY)).isCompletedExceptionally();
        assertThat(store.await(KEY).exceptionNow())
                .isInstanceOf(KeyValueStore.WriterEnded.class)
                .hasMessage("a has ended and did not write it");
        assertThat(other).isNotDone();
        assertThat(store.waiters()).isOne();
    }

    @Test
    void nextOfThatNameBeginsWithNothingAndIsWaitedFor() {
        store.write(KEY, "old");
        store.end("a");

        store.begin("a");

        assertThat(store.read(KEY)).isEmpty();
        CompletableFuture<String> wait = store.await(KEY);
        assertThat(wait).isNotDone();
        store.write(KEY, "new");
        assertThat(wait).isCompletedWithValue("new");
    }

    @Test
    void boundsWhatEndedNamesKeep() {
        for (int i = 0; i <= KeyValueStore.MAX_ENDED; i++) {
            store.write(StorePath.of("g" + i, "key"), "v");
            store.end("g" + i);
            store.end("g" + i);
        }

        assertThat(store.read(StorePath.of("g0", "key"))).isEmpty();
        assertThat(store.await(StorePath.of("g0", "key"))).isCompletedExceptionally();
        for (int i = 1; i <= KeyValueStore.MAX_ENDED; i++) {
            assertThat(store.read(StorePath.of("g" + i, "key"))).contains("v");
        }
    }

    @Test
    void removedBytesAreFreeAgain() {
        String all = "x".repeat(KeyValueStore.MAX_VALUE_BYTES);
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
        assertThat(store.write(KEY, "\u20ac".repeat(KeyValueStore.MAX_VALUE_BYTES / 2)))
                .isEqualTo(VerbsStatus.EAGAIN);
        assertThat(store.read(KEY)).isEmpty();
    }

    @Test
    void parsesFullPathsAlone() {
        assertThat(StorePath.parse("domain/a/qp/1")).isEqualTo(new StorePath("a", "qp/1"));
        assertThat(StorePath.of("a", "qp/1")).hasToString("domain/a/qp/1");
        for (String bad : new String[] {
            "", "a", "domain/a", "domain/a/", "domain//x", "/domain/a/x", "domain/a/x y", "domain/a/\u0000"
        }) {
            assertThat(StorePath.parse(bad)).as(bad).isNull();
        }
    }
}
