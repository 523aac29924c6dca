package io.hyperverbs.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.verbs.Store;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.store.StorePath;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Two sides on the VMM's store, each on a thread of its own. */
class MeetingTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Terms ANY = new Terms(OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());

    private final io.hyperverbs.vmm.store.KeyValueStore store = new io.hyperverbs.vmm.store.KeyValueStore();
    private final Set<StorePath> present = ConcurrentHashMap.newKeySet();

    /** The store as one domain has it. */
    private final class View implements Store {
        private final String name;

        View(String name) {
            this.name = name;
        }

        @Override
        public void write(String key, String value) {
            StorePath path = Objects.requireNonNull(StorePath.of(name, key));
            present.add(path);
            store.write(path, value);
        }

        @Override
        public void remove(String key) {
            StorePath path = Objects.requireNonNull(StorePath.of(name, key));
            store.remove(path);
            present.remove(path);
        }

        @Override
        public Optional<String> read(String domain, String key) {
            return store.read(Objects.requireNonNull(StorePath.of(domain, key)));
        }

        @Override
        public String await(String domain, String key, Duration timeout) throws VerbsException {
            try {
                return store.await(Objects.requireNonNull(StorePath.of(domain, key)))
                        .get(timeout.toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                throw new VerbsException(VerbsStatus.ETIMEDOUT, key);
            } catch (ExecutionException e) {
                throw new VerbsException(VerbsStatus.ENOENT, key);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static <T> FutureTask<T> together(Callable<T> side) {
        FutureTask<T> task = new FutureTask<>(side);
        Thread.ofPlatform().daemon().start(task);
        return task;
    }

    @Test
    void whatAKilledProgramLeftIsNoAnswer() throws Exception {
        new View("a").write("pingpong/b", new Call("a0", ANY).format());
        new View("a").write("pingpong/b/b0/seen", "1");
        new View("a").write("pingpong/b/b0/end", "stale");
        new View("b").write("pingpong/a", new Call("b0", ANY).format());
        new View("b").write("pingpong/a/a0/seen", "1");
        new View("b").write("pingpong/a/a0/end", "stale");

        FutureTask<String> client = together(() -> endOf("a", "b", "a1"));
        FutureTask<String> server = together(() -> endOf("b", "a", "b1"));

        assertThat(client.get(30, TimeUnit.SECONDS)).isEqualTo("end of b");
        assertThat(server.get(30, TimeUnit.SECONDS)).isEqualTo("end of a");
    }

    /** Leaves only when the other has its line too, as programs do that play. */
    private String endOf(String own, String peer, String session) throws Exception {
        try (Meeting meeting = new Meeting(new View(own), own, peer, new Call(session, ANY), PATIENCE)) {
            String line = meeting.swap("end", "end of " + own);
            meeting.leave();
            return line;
        }
    }

    @Test
    void closingLeavesNoKey() throws Exception {
        FutureTask<String> client = together(() -> endOf("a", "b", "a1"));
        FutureTask<String> server = together(() -> endOf("b", "a", "b1"));

        client.get(30, TimeUnit.SECONDS);
        server.get(30, TimeUnit.SECONDS);

        assertThat(present).isEmpty();
    }

    @Test
    void nobodyThereIsATimeoutThatLeavesNoKey() {
        assertThatThrownBy(() -> new Meeting(new View("a"), "a", "b", new Call("a1", ANY), Duration.ofMillis(1)))
                .isInstanceOf(VerbsException.class);
        assertThat(present).isEmpty();
    }

    @Test
    void aPeerThatHasEndedIsNotWaitedFor() {
        store.end("b");

        assertThatThrownBy(() -> new Meeting(new View("a"), "a", "b", new Call("a1", ANY), Duration.ofHours(1)))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.status()).isEqualTo(VerbsStatus.ENOENT));
        assertThat(present).isEmpty();
    }
}
