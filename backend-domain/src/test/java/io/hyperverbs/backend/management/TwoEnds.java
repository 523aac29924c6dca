package io.hyperverbs.backend.management;

import io.hyperverbs.backend.testing.ExecutorBench;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests with one guest that calls and one that listens. */
abstract class TwoEnds {
    @TempDir
    Path state;

    ExecutorBench bench;
    CmEnd caller;
    CmEnd callee;

    @BeforeEach
    void setUp() {
        bench = new ExecutorBench(state);
        caller = CmEnd.open(bench, 1);
        callee = CmEnd.open(bench, 2);
        var _ = callee.listen();
    }

    @AfterEach
    void tearDown() {
        bench.close();
    }
}
