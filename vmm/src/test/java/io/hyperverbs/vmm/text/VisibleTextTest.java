package io.hyperverbs.vmm.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class VisibleTextTest {
    /** The classes of Unicode's database that order text, in place of the ranges of the class. */
    private static final Set<Byte> ORDERING = Set.of(
            Character.DIRECTIONALITY_LEFT_TO_RIGHT_EMBEDDING,
            Character.DIRECTIONALITY_LEFT_TO_RIGHT_OVERRIDE,
            Character.DIRECTIONALITY_RIGHT_TO_LEFT_EMBEDDING,
            Character.DIRECTIONALITY_RIGHT_TO_LEFT_OVERRIDE,
            Character.DIRECTIONALITY_POP_DIRECTIONAL_FORMAT,
            Character.DIRECTIONALITY_LEFT_TO_RIGHT_ISOLATE,
            Character.DIRECTIONALITY_RIGHT_TO_LEFT_ISOLATE,
            Character.DIRECTIONALITY_FIRST_STRONG_ISOLATE,
            Character.DIRECTIONALITY_POP_DIRECTIONAL_ISOLATE);

    private static boolean commands(int codePoint) {
        int type = Character.getType(codePoint);
        return type == Character.CONTROL
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR
                || type == Character.SURROGATE
                || ORDERING.contains(Character.getDirectionality(codePoint))
                || Set.of(0x061c, 0x200e, 0x200f).contains(codePoint);
    }

    @Test
    void ofAllCodePointsThoseThatCommandAreShownByName() {
        for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
            String text = "a" + Character.toString(codePoint) + "b";
            boolean spacing = codePoint == '\n' || codePoint == '\t';

            String shown = VisibleText.of(text);
            String line = VisibleText.line(text);

            if (!commands(codePoint)) {
                assertThat(shown).isEqualTo(text);
                assertThat(line).isEqualTo(text);
                continue;
            }
            assertThat(line).matches("a\\\\(x[0-9a-f]{2}|u[0-9a-f]{4}|[ntr])b");
            assertThat(shown).isEqualTo(spacing ? text : line);
        }
    }

    @Test
    void streamShowsAllCodePointsAsTheTextDoes() throws IOException {
        for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
            if (Character.getType(codePoint) == Character.SURROGATE) {
                continue;
            }
            String text = "a" + Character.toString(codePoint) + "b";

            assertThat(through(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(VisibleText.of(text));
        }
    }

    @Test
    void knownSequencesOfTerminalsDoNotGetThrough() throws IOException {
        String clipboard = "\u001b]52;c;cm0gLXJm\u0007";
        String screen = "\u001b[2J\u009b2J one\rtwo\b\u007f";

        assertThat(VisibleText.of(clipboard)).isEqualTo("\\x1b]52;c;cm0gLXJm\\x07");
        assertThat(through(screen.getBytes(StandardCharsets.UTF_8))).isEqualTo("\\x1b[2J\\u009b2J one\\rtwo\\x08\\x7f");
        assertThat(VisibleText.line("x\u202egnp.exe\n")).isEqualTo("x\\u202egnp.exe\\n");
    }

    @Test
    void bytesThatAreNoUtf8AreShownAsBytes() throws IOException {
        // A lone C1 byte, a lone continuation, overlong "/", a surrogate, one beyond, a cut end.
        assertThat(through(HexFormat.of().parseHex("9b"))).isEqualTo("\\x9b");
        assertThat(through(HexFormat.of().parseHex("61bf62"))).isEqualTo("a\\xbfb");
        assertThat(through(HexFormat.of().parseHex("e080af"))).isEqualTo("\\xe0\\x80\\xaf");
        assertThat(through(HexFormat.of().parseHex("eda080"))).isEqualTo("\\xed\\xa0\\x80");
        assertThat(through(HexFormat.of().parseHex("f490808061"))).isEqualTo("\\xf4\\x90\\x80\\x80a");
        assertThat(through(HexFormat.of().parseHex("e282"))).isEqualTo("\\xe2\\x82");
        assertThat(through(HexFormat.of().parseHex("e28241"))).isEqualTo("\\xe2\\x82A");
    }

    @Test
    void randomBytesNeverCommand() throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 2_000; round++) {
            byte[] bytes = new byte[random.nextInt(64)];
            random.nextBytes(bytes);

            assertThat(through(bytes).codePoints())
                    .as("seed %d round %d", seed, round)
                    .allMatch(c -> c == '\n' || c == '\t' || !commands(c));
        }
    }

    @Test
    void charactersMayArriveInPieces() throws IOException {
        byte[] bytes = "\u20ac\ud83d\ude00\u009bx".getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream to = new ByteArrayOutputStream();
        VisibleStream stream = new VisibleStream(to);

        for (byte one : bytes) {
            stream.write(one);
            stream.flush();
        }

        assertThat(to.toString(StandardCharsets.UTF_8)).isEqualTo("\u20ac\ud83d\ude00\\u009bx");
    }

    private static String through(byte[] bytes) throws IOException {
        ByteArrayOutputStream to = new ByteArrayOutputStream();
        try (VisibleStream stream = new VisibleStream(to)) {
            stream.write(bytes);
        }
        return to.toString(StandardCharsets.UTF_8);
    }
}
