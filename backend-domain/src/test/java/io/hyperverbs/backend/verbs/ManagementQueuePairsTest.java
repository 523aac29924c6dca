package io.hyperverbs.backend.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.testing.SessionFixture;
import io.hyperverbs.backend.testing.SessionObjects;
import io.hyperverbs.verbs.DataPathKind;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** QP0 and QP1 never reach a guest (Liu 2006 §4.4). */
class ManagementQueuePairsTest extends SessionFixture {
    private static final int GUESTS = 2;

    private SessionObjects objects;

    @BeforeEach
    void setUp() {
        objects = SessionObjects.create(bench, session, DataPathKind.FORWARDED);
    }

    /** Handles are random: those small numbers are nobody's, whatever the verb. */
    @ParameterizedTest
    @EnumSource(DataPathKind.class)
    void areNoQueuePairOfAnyGuest(DataPathKind path) {
        for (int domain = 2; domain < 2 + GUESTS; domain++) {
            Session other = bench.session(domain, Map.of());
            var _ = SessionObjects.create(bench, other, path);

            assertThat(other.qps().objects()).allMatch(qp -> qp.qpn() > 1);
        }
    }
}
