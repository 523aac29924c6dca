package io.hyperverbs.toolstack.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.run.suite.upper.SuiteFigures;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Option;

class SuiteCommandTest {
    @Test
    void helpNamesEveryFigure() throws Exception {
        String help = String.join(
                " ",
                SuiteCommand.class
                        .getDeclaredField("figures")
                        .getAnnotation(Option.class)
                        .description());

        assertThat(SuiteFigures.ALL)
                .allSatisfy(figure -> assertThat(help.split("[^a-z-]+"))
                        .contains(figure.info().name()));
    }
}
