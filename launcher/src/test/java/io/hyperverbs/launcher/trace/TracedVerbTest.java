package io.hyperverbs.launcher.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.frontend.trace.VerbTrace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Held to the writer: what {@link VerbTrace} writes is read here. */
class TracedVerbTest {
    private static final String LINE =
            "12:00:01.000410 post_send(qp=0x01f2a7, wr_id=1, RDMA_WRITE, 64) = 0 <0.19us> bypass";

    /** Writes into memory, or takes nothing. */
    private static final class Log implements VerbTrace.Sink {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private boolean full;

        @Override
        public boolean take(byte[] line, int length) {
            if (!full) {
                bytes.write(line, 0, length);
            }
            return !full;
        }

        @Override
        public void close() {}

        List<String> lines() throws IOException {
            List<String> lines = new ArrayList<>();
            try (VerbLines cut = new VerbLines(line -> lines.add(new String(line, StandardCharsets.UTF_8)))) {
                cut.write(bytes.toByteArray());
            }
            return lines;
        }
    }

    private final Log log = new Log();
    private final VerbTrace writer = new VerbTrace(log, "forwarded");

    @Test
    void readsWhatTheDriverWrites() throws Exception {
        writer.turn(true);
        writer.log("reg_mr(addr=0x7f, len=65536, LW|RW)", "mr 7", 402_800, writer.controlWord());
        writer.log("sa_register(name=a) = (b, lease=3)", "-1 EAGAIN (<quota> = 3)", 1_234_567_890, "bypass");
        writer.log("poll_cq(cq=1, 16)", "3", 0, "bypass");

        List<String> lines = log.lines();

        TracedVerb first = TracedVerb.parse(lines.get(0)).orElseThrow();
        assertThat(first)
                .isEqualTo(new TracedVerb(
                        first.time(), "", "reg_mr", "addr=0x7f, len=65536, LW|RW", "mr 7", 402.80, VerbWay.FORWARDED));
        assertThat(first.time()).matches("\\d\\d:\\d\\d:\\d\\d\\.\\d{6}");
        TracedVerb second = TracedVerb.parse(lines.get(1)).orElseThrow();
        assertThat(second.verb()).isEqualTo("sa_register");
        assertThat(second.result()).endsWith("(<quota> = 3)");
        assertThat(second.micros()).isEqualTo(1_234_567.89);
        assertThat(TracedVerb.parse(lines.get(2)).orElseThrow().micros()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"poller", "pool [1] (2)", "a] b", "#17", "\u001b[2J"})
    void readsThreadsOfAnyName(String name) throws Exception {
        writer.turn(true);
        writer.log("poll_cq(cq=1, 1)", "1", 10, "bypass");
        Thread other = Thread.ofPlatform().name(name).start(() -> writer.log("poll_cq(cq=2, 1)", "1", 10, "bypass"));
        other.join();

        TracedVerb read = TracedVerb.parse(log.lines().get(1)).orElseThrow();

        assertThat(read.thread()).isEqualTo(name.replace("\u001b", "\\x1b"));
        assertThat(read.arguments()).isEqualTo("cq=2, 1");
    }

    @Test
    void readsHowManyLinesTheDriverDropped() throws Exception {
        writer.turn(true);
        log.full = true;
        writer.log("poll_cq(cq=1, 1)", "1", 10, "bypass");
        writer.log("poll_cq(cq=1, 1)", "1", 10, "bypass");
        log.full = false;
        writer.log("poll_cq(cq=1, 1)", "1", 10, "bypass");

        List<String> lines = log.lines();

        assertThat(lines).hasSize(2);
        assertThat(TracedVerb.dropped(lines.get(0))).isEqualTo(2);
        assertThat(TracedVerb.dropped(lines.get(1))).isZero();
    }

    @Test
    void aLineThatTheDriverCutIsNotUnderstood() throws Exception {
        writer.turn(true);
        writer.log("reg_mr(" + "x".repeat(5000) + ")", "mr 1", 10, "forwarded");
        writer.log("poll_cq(cq=1, 1)", "1", 10, "bypass");

        List<String> lines = log.lines();

        assertThat(lines.get(0)).hasSize(VerbLines.MAX_LINE_BYTES - 1);
        assertThat(TracedVerb.parse(lines.get(0))).isEmpty();
        assertThat(TracedVerb.parse(lines.get(1))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "12:00:01.000410",
                "12:00:01.000410 ",
                "noon post_send() = 0 <0.19us> bypass",
                "12:00:01.000410 post_send() = 0 <0.19us> sideways",
                "12:00:01.000410 post_send() = 0 <0.19us> bypass ",
                "12:00:01.000410 post_sned() = 0 <0.19us> bypass",
                "12:00:01.000410 post_send() = 0 <-0.19us> bypass",
                "12:00:01.000410 post_send() = 0 <NaNus> bypass",
                "12:00:01.000410 post_send() = 0 <1e300us> bypass",
                "12:00:01.000410 post_send() = 0 <1234567890123.00us> bypass",
                "12:00:01.000410 post_send( = 0 <0.19us> bypass",
                "12:00:01.000410 post_send() 0 <0.19us> bypass",
                "12:00:01.000410 [x post_send() = 0 <0.19us> bypass",
                "12:00:01.000410 us> <0.19 bypass",
                "[99999999999999999999 lines dropped: x]",
                "[-1 lines dropped: x]",
                "\u0000\u0000"
            })
    void anythingElseIsNotUnderstood(String line) {
        assertThat(TracedVerb.parse(line)).isEmpty();
        assertThat(TracedVerb.dropped(line)).isZero();
    }

    @Test
    void noLineThatAGuestForgesThrows() {
        long seed = 20061;
        Random random = new Random(seed);
        String letters = "0123456789:. []()=<>us\u001bbypass_";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder line = new StringBuilder(LINE);
            for (int change = random.nextInt(6); change >= 0; change--) {
                int at = random.nextInt(line.length());
                switch (random.nextInt(3)) {
                    case 0 -> line.deleteCharAt(at);
                    case 1 -> line.insert(at, letters.charAt(random.nextInt(letters.length())));
                    default -> line.setLength(Math.max(8, at));
                }
            }
            TracedVerb.parse(line.toString())
                    .ifPresent(verb -> assertThat(TracedVerb.NAMES).contains(verb.verb()));
        }
    }

    @Test
    void takesNoMoreOfALineThanADriverWrites() throws Exception {
        List<byte[]> lines = new ArrayList<>();
        try (VerbLines cut = new VerbLines(lines::add)) {
            cut.write("x".repeat(1 << 20).getBytes(StandardCharsets.UTF_8));
            cut.write(("\n" + LINE + "\nunfinished").getBytes(StandardCharsets.UTF_8));
        }

        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).hasSize(VerbLines.MAX_LINE_BYTES);
        assertThat(new String(lines.get(1), StandardCharsets.UTF_8)).isEqualTo(LINE);
    }
}
