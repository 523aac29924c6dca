package io.hyperverbs.backend.testing;

import io.hyperverbs.backend.session.Session;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;

/** A backend without a machine, and the session of one domain. */
public abstract class SessionFixture extends BenchFixture {
    protected Session session;

    @BeforeEach
    void openSession() {
        session = bench.session(1, Map.of());
    }
}
