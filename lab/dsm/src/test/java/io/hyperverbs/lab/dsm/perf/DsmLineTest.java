package io.hyperverbs.lab.dsm.perf;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DsmLineTest {
    @Test
    void comesBackFromItsText() {
        DsmLine line = new DsmLine(DsmLine.OWNER_FAULT, "write", 65536, 22.125);

        assertThat(line.text()).isEqualTo("dsm: read fault, owner: write: 65536: 22.125");
        assertThat(DsmLine.of(line.text() + "\r")).contains(line);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "sor: right on 4 nodes, 0.31 s",
                "dsm: sor: ms: 4: NaN",
                "dsm: sor: ms: -4: 1.000",
                "dsm: sor: 4: 1.000",
                "x dsm: sor: ms: 4: 1.000"
            })
    void otherLinesAreNone(String line) {
        assertThat(DsmLine.of(line)).isEmpty();
    }
}
