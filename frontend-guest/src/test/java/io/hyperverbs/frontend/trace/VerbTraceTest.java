package io.hyperverbs.frontend.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.frontend.MadeMachine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class VerbTraceTest {
    /** Takes so many lines, then none until there is room again; throws if it is broken. */
    private static final class Lines implements VerbTrace.Sink {
        private final List<String> taken = new CopyOnWriteArrayList<>();
        private int room = Integer.MAX_VALUE;
        private boolean broken;

        @Override
        public boolean take(byte[] bytes, int length) throws IOException {
            if (broken) {
                throw new IOException("broken pipe");
            }
            String text = new String(bytes, 0, length, StandardCharsets.UTF_8);
            assertThat(text).endsWith("\n");
            if (taken.size() >= room) {
                return false;
            }
            return taken.addAll(text.lines().toList());
        }

        @Override
        public void close() {}
    }

    private final Lines sink = new Lines();

    @Test
    void writesNothingWhenOff() {
        VerbTrace trace = new VerbTrace(sink, "forwarded");

        trace.log("alloc_pd(1)", "pd 1", 10, "forwarded");

        assertThat(sink.taken).isEmpty();
    }

    @Test
    void countsLinesThatTheSinkDoesNotTake() {
        try (VerbTrace trace = new VerbTrace(sink, "forwarded")) {
            trace.turn(true);
            sink.room = 1;
            for (int i = 0; i < 4; i++) {
                trace.log("call(" + i + ")", "0", 10, "bypass");
            }
            sink.room = Integer.MAX_VALUE;
            trace.log("call(4)", "0", 10, "bypass");
            trace.log("call(5)", "0", 10, "bypass");
        }

        assertThat(sink.taken).hasSize(4);
        assertThat(sink.taken.get(0)).contains("call(0)");
        assertThat(sink.taken.get(1)).startsWith("[3 lines dropped");
        assertThat(sink.taken.get(2)).contains("call(4)");
        assertThat(sink.taken.get(3)).contains("call(5)");
    }

    @Test
    void linesOfOtherThreadsNameThem() throws Exception {
        try (VerbTrace trace = new VerbTrace(sink, "forwarded")) {
            trace.turn(true);
            trace.log("one()", "0", 10, "bypass");
            Thread other =
                    Thread.ofPlatform().name("poller\u001b[2J\n").start(() -> trace.log("two()", "0", 10, "bypass"));
            other.join();
            trace.log("three()", "0", 10, "bypass");
        }

        assertThat(sink.taken.stream().map(line -> line.replaceFirst("[^ ]* ", "")))
                .containsExactly(
                        "one() = 0 <0.01us> bypass",
                        "[poller\\x1b[2J\\n] two() = 0 <0.01us> bypass",
                        "three() = 0 <0.01us> bypass");
    }

    @Test
    void cutsALineToWhatAPipeTakesAsAWhole() {
        try (VerbTrace trace = new VerbTrace(sink, "forwarded")) {
            trace.turn(true);
            trace.log("call(" + "x".repeat(10_000) + ")", "0", 10, "bypass");
        }

        assertThat(sink.taken).singleElement().asString().hasSize(VerbTrace.MAX_LINE_BYTES - 1);
    }

    @Test
    void turnsItselfOffWhenNobodyReads() {
        VerbTrace trace = new VerbTrace(sink, "forwarded");
        trace.turn(true);
        sink.broken = true;

        trace.log("call()", "0", 10, "bypass");

        assertThat(trace.isOn()).isFalse();
    }

    @Test
    void storeKeyTurnsItOnAndOff() {
        MadeMachine machine = new MadeMachine(16);
        VerbTrace trace = new VerbTrace(sink, "forwarded");
        try (TraceSwitch _ = TraceSwitch.start(machine.guest("a", 1, Map.of()), trace)) {
            assertThat(trace.isOn()).isFalse();
            machine.write("domain/tool/trace/a", "on");
            await().until(trace::isOn);
            machine.remove("domain/tool/trace/a");
            await().until(() -> !trace.isOn());
            machine.write("domain/tool/trace/a", "on");
            await().until(trace::isOn);
        }
    }
}
