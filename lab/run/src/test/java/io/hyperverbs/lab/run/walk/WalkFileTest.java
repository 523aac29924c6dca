package io.hyperverbs.lab.run.walk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.lab.run.check.CheckedPath;
import io.hyperverbs.lab.walk.step.Step;
import java.util.List;
import org.junit.jupiter.api.Test;

class WalkFileTest {
    @Test
    void readsBackPathsAndStepsAndSkipsComments() {
        WalkFile file = new WalkFile(
                List.of(CheckedPath.NATIVE, CheckedPath.FORWARDED_UNARY),
                List.of(new Step.OpenPd(0, 0), new Step.Query(3)));

        String text = file.format(List.of("seed 1"));

        assertThat(text).startsWith("# paths native forwarded-unary\n# seed 1\n");
        assertThat(WalkFile.parse(text)).isEqualTo(file);
    }

    @Test
    void refusesTextWithoutPaths() {
        assertThatThrownBy(() -> WalkFile.parse("query slot=1\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("# paths");
    }
}
