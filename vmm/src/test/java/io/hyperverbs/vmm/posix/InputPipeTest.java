package io.hyperverbs.vmm.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class InputPipeTest {
    private static final int MANY = 1_000;

    @Test
    void refusesWhatDoesNotFitAndTakesItLater() throws Exception {
        byte[] block = new byte[InputPipe.MAX_BYTES];
        Arrays.fill(block, (byte) 'x');
        InputPipe pipe = InputPipe.create();
        try (InputStream reader = Files.newInputStream(pipe.readEnd())) {
            pipe.handOver();
            int written = 0;
            while (written < MANY && pipe.write(block)) {
                written++;
            }
            assertThat(written).isBetween(1, MANY - 1);

            assertThat(reader.readNBytes(block.length)).isEqualTo(block);

            assertThat(pipe.write("end".getBytes(StandardCharsets.UTF_8))).isTrue();
            pipe.close();
            ByteArrayOutputStream rest = new ByteArrayOutputStream();
            reader.transferTo(rest);
            assertThat(rest.size()).isEqualTo((written - 1) * block.length + 3);
            assertThat(rest.toString(StandardCharsets.UTF_8)).endsWith("xend");
        }
    }

    @Test
    void saysWhenNobodyReads() throws Exception {
        try (InputPipe pipe = InputPipe.create()) {
            pipe.handOver();

            assertThatThrownBy(() -> pipe.write(new byte[1]))
                    .isInstanceOfSatisfying(
                            PosixException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EPIPE));
        }
    }

    @Test
    void takesNothingOnceItIsClosed() throws Exception {
        InputPipe pipe = InputPipe.create();
        pipe.close();
        pipe.close();

        assertThatThrownBy(() -> pipe.write(new byte[1])).isInstanceOf(PosixException.class);
    }
}
