package io.hyperverbs.backend.testing;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A backend without a machine. */
public abstract class BenchFixture {
    @TempDir
    protected Path state;

    protected ExecutorBench bench;

    @BeforeEach
    void openBench() {
        bench = new ExecutorBench(state);
    }

    @AfterEach
    void closeBench() {
        bench.close();
    }
}
