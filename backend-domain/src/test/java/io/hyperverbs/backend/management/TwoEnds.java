package io.hyperverbs.backend.management;

import io.hyperverbs.backend.testing.BenchFixture;
import org.junit.jupiter.api.BeforeEach;

/** Two guests, of which one may call the other. */
abstract class TwoEnds extends BenchFixture {
    CmEnd caller;
    CmEnd callee;

    @BeforeEach
    void openEnds() {
        caller = CmEnd.open(bench, 1);
        callee = CmEnd.open(bench, 2);
    }
}
