package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.testing.ExecutorBench;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A backend without a machine, and the session of one domain. */
abstract class BenchFixture {
    @TempDir
    Path state;

    ExecutorBench bench;
    Session session;

    @BeforeEach
    void openBench() {
        bench = new ExecutorBench(state);
        session = bench.session(1, Map.of());
    }

    @AfterEach
    void closeBench() {
        bench.close();
    }
}
