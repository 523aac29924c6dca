package io.hyperverbs.launcher.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Problem;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AppCheckTest {
    @TempDir
    private Path folder;

    @Test
    void saysWhichProgramsAndPeersAreNotThere() throws Exception {
        Files.writeString(folder.resolve("Here.java"), "");
        Path file = Files.writeString(folder.resolve("apps.hv.yaml"), """
            apiVersion: hv/v1
            name: apps
            guests:
              one: { app: { main: Here.java } }
              two: { app: { main: Missing.java } }
              three: { app: { main: pingpong, args: [-s, 64, on] } }
              four: { app: { main: pingpong, args: [four] } }
              five: { app: { main: pingpong, args: [-s, much] } }
              six: { app: { main: pingpong, args: [one] } }
              seven: { app: { main: missing.jar } }
              eight: { app: { main: pingpong, args: [nobody-like-that] } }
            """);

        HvException failure = catchThrowableOfType(
                HvException.class, () -> TopologyLoader.load(file, "apps.hv.yaml", new ExamplePrograms()));

        assertThat(failure.problems().stream().map(Problem::text))
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("apps.hv.yaml:5: main: no file Missing.java;"),
                        line -> assertThat(line)
                                .isEqualTo("apps.hv.yaml:6: args: no guest on for"
                                        + " pingpong to call; did you mean 'one'?"),
                        line -> assertThat(line).contains(":7: args: four calls itself"),
                        line -> assertThat(line).contains(":8: args: -s much, must be a number"),
                        line -> assertThat(line).contains(":10: main: no file missing.jar"),
                        line -> assertThat(line)
                                .contains(":11: args: no guest nobody-like-that", "; there are one, two,"));
    }
}
