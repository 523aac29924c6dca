package io.hyperverbs.lab.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** That each benchmark does what it measures, with all its parameters; its time is of no interest here. */
class BenchmarksTest {
    @Test
    void eachEndsWithoutAnError() throws Exception {
        Options once = new OptionsBuilder()
                .include("io.hyperverbs.lab.micro")
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(2))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();

        Collection<RunResult> results = new Runner(once).run();

        assertThat(results)
                .extracting(result -> result.getParams().getBenchmark().replaceFirst(".*\\.(\\w+\\.\\w+)$", "$1"))
                .contains(
                        "ArbiterBench.turn",
                        "EngineBench.idleTurn",
                        "EngineBench.send",
                        "EngineBench.write",
                        "RingBench.pollEmpty",
                        "RingBench.post",
                        "TptBench.foreign",
                        "TptBench.remote");
    }
}
