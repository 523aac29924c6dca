package io.hyperverbs.backend.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.vmm.io.CmNotice;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A guest dies at any step of a connection: its peer is told, and nothing is left. */
class PeerDeathTest extends ListeningEnd {
    @ParameterizedTest
    @CsvSource({
        "RESOLVED,",
        "CALLED, UNREACHABLE",
        "REQUEST_READ, UNREACHABLE",
        "ACCEPTED, UNREACHABLE",
        "CONNECTED, DISCONNECTED",
        "DISCONNECTING, DISCONNECTED",
        "DISCONNECTED,"
    })
    void callerHearsOfTheCalleesDeath(CmStep step, CmEvent.@Nullable Type told) {
        var _ = step.reach(caller, callee);

        callee.die();

        expectTold(caller, told);
        expectNothingLeft(callee);
    }

    @ParameterizedTest
    @CsvSource({
        "RESOLVED,",
        "CALLED,",
        "REQUEST_READ, UNREACHABLE",
        "ACCEPTED, UNREACHABLE",
        "CONNECTED, DISCONNECTED",
        // It has been told already.
        "DISCONNECTING,",
        "DISCONNECTED,"
    })
    void calleeHearsOfTheCallersDeath(CmStep step, CmEvent.@Nullable Type told) {
        var _ = step.reach(caller, callee);

        caller.die();

        expectTold(callee, told);
        expectNothingLeft(caller);
    }

    @Test
    void whoIsDeadIsNotFound() {
        long connection = caller.resolve(callee);

        callee.die();
        caller.done(caller.connect(connection));

        CmNotice told = caller.next(CmEvent.Type.UNREACHABLE);
        assertThat(told.status()).isEqualTo(VerbsStatus.ECONNRESET);
    }

    @Test
    void guestOfTheSameNumberIsAnother() {
        long connection = caller.resolve(callee);
        callee.die();
        CmEnd reborn = CmEnd.open(bench, 2);
        var _ = reborn.listen();

        caller.done(caller.connect(connection));

        assertThat(caller.next(CmEvent.Type.UNREACHABLE).status()).isEqualTo(VerbsStatus.ECONNRESET);
        assertThat(reborn.take()).isEmpty();
    }

    private static void expectTold(CmEnd survivor, CmEvent.@Nullable Type type) {
        List<CmNotice> told = survivor.take();
        if (type == null) {
            assertThat(told).isEmpty();
            return;
        }
        assertThat(told).singleElement().extracting(CmNotice::type).isEqualTo(type);
        assertThat(told.getFirst().status()).isEqualTo(VerbsStatus.ECONNRESET);
    }

    private void expectNothingLeft(CmEnd dead) {
        assertThat(bench.management.size(dead.session())).isZero();
        assertThat(dead.session().contexts().objects()).isEmpty();
    }
}
