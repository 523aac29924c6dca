package io.hyperverbs.backend.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.backend.event.SessionEvents;
import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.vmm.io.EventSink;
import io.hyperverbs.vmm.io.ObjectKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * What several threads use at once behaves as if they came one after the other, with Lincheck: 10
 * scenarios, 1000 times each; {@code -Dlincheck.long=true}: 100 scenarios, 10 000 times. {@link
 * Quota} is under its session's lock and the table of keys is the engine's alone, so they are not
 * here.
 */
@Order(1)
@RunsWhenChanged
class LinearizabilityTest {
    private static final boolean LONG = Boolean.getBoolean("lincheck.long");
    private static final int SLOTS = 2;
    private static final int SEED = 7;

    /** Lincheck leaves a jar in the folder of temporary files, which this process has open. */
    @AfterAll
    static void deleteItsJar() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            for (Path descriptor : open.toList()) {
                try {
                    Path file = Files.readSymbolicLink(descriptor);
                    if (String.valueOf(file.getFileName()).startsWith("lincheck-bootstrap")) {
                        Files.deleteIfExists(file);
                    }
                } catch (NoSuchFileException closed) {
                    // Other tests close theirs.
                }
            }
        }
    }

    private static StressOptions options() {
        return new StressOptions()
                .iterations(LONG ? 100 : 10)
                .invocationsPerIteration(LONG ? 10_000 : 1_000)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(2)
                .actorsAfter(1)
                .minimizeFailedScenario(false);
    }

    /** The handles that a table of that seed gives, use by use, slot by slot. */
    private static long handle(int use, int slot) {
        HandleTable<Integer> probe = new HandleTable<>(ObjectKind.CQ, SLOTS, new Random(SEED));
        long[] first = new long[SLOTS];
        for (int i = 0; i < SLOTS; i++) {
            first[i] = probe.add(i);
        }
        return first[slot] + ((long) use << 20);
    }

    /** A handle table; parameters name handles that it gives sooner or later. */
    @Param(name = "use", gen = IntGen.class, conf = "0:1")
    @Param(name = "slot", gen = IntGen.class, conf = "0:1")
    @Param(name = "object", gen = IntGen.class, conf = "1:9")
    public static class Handles {
        private final HandleTable<Integer> table = new HandleTable<>(ObjectKind.CQ, SLOTS, new Random(SEED));

        @Operation
        public long add(@Param(name = "object") int object) {
            return table.add(object);
        }

        @Operation
        public Integer get(@Param(name = "use") int use, @Param(name = "slot") int slot) {
            return table.get(handle(use, slot));
        }

        @Operation
        public Integer remove(@Param(name = "use") int use, @Param(name = "slot") int slot) {
            return table.remove(handle(use, slot));
        }

        @Operation
        public int size() {
            return table.size();
        }
    }

    /** Two capacities of an event queue that nobody reads, and one reader that takes all. */
    @Param(name = "cq", gen = IntGen.class, conf = "1:3")
    public static class Events {
        private final SessionEvents queue = new SessionEvents(2);

        @Operation
        public void completion(@Param(name = "cq") int cq) {
            queue.completion(cq);
        }

        @Operation
        public boolean isWithinItsCapacity() {
            return queue.size() <= 2;
        }

        @Operation
        public void async(@Param(name = "cq") int number) {
            queue.async(1, new AsyncEvent(AsyncEvent.Type.COMM_EST, number));
        }

        @Operation
        public void forget(@Param(name = "cq") int cq) {
            queue.forget(cq);
        }

        @Operation
        public String take() {
            StringBuilder got = new StringBuilder();
            Reader reader = new Reader(got);
            // One step: between the two any thread's event would go to the reader.
            synchronized (queue) {
                queue.subscribe(reader, () -> true);
                queue.unsubscribe(reader);
            }
            return got.toString();
        }
    }

    private record Reader(StringBuilder got) implements EventSink {
        @Override
        public void completion(long cq) {
            got.append(" cq").append(cq);
        }

        @Override
        public void async(long context, AsyncEvent event) {
            got.append(" async").append(event.number());
        }

        @Override
        public void connections(long channel) {
            got.append(" cm").append(channel);
        }

        @Override
        public void overflow() {
            got.append(" overflow");
        }

        @Override
        public void closed(String reason) {}
    }

    /** The counters of what was rejected. */
    public static class Rejected {
        private final Rejections rejections = new Rejections();

        @Operation
        public void count() {
            rejections.count(RejectedAct.VERB);
        }

        @Operation
        public long counted() {
            return rejections.of(RejectedAct.VERB);
        }

        @Operation
        public boolean violates() {
            return rejections.isFirstViolation();
        }

        @Operation
        public long record() {
            return rejections.record(0);
        }
    }

    /** A planted bug: what a table without a lock would do. */
    public static class Racing {
        private int free = 3;

        @Operation
        public int take() {
            int now = free;
            // Where there is one core, the other thread comes between by this alone.
            Thread.yield();
            free = now - 1;
            return now;
        }
    }

    @Test
    void ofTheHandleTable() {
        assertThat(handle(0, 0)).isNotEqualTo(handle(0, 1));

        options().check(Handles.class);
    }

    @Test
    void ofTheEventQueue() {
        options().check(Events.class);
    }

    @Test
    void ofTheCountersOfRejections() {
        options().check(Rejected.class);
    }

    @InEachBuild
    @Test
    void isFoundMissingFromATableWithoutALock() {
        assertThatThrownBy(() ->
                        options().iterations(50).invocationsPerIteration(5000).check(Racing.class))
                .isInstanceOf(AssertionError.class);
    }
}
