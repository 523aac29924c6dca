package io.hyperverbs.backend.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.testing.SessionFixture;
import io.hyperverbs.backend.testing.SessionObjects;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rings: what memory they may have and what they serve. */
class RingRegistrationTest extends SessionFixture {
    @Test
    void mustBeContiguousWholeAndUnpinned() {
        SessionObjects own = SessionObjects.create(bench, session, DataPathKind.BYPASS);
        FrameRun first = bench.frames(session, 40, 1);
        FrameRun apart = bench.frames(session, 42, 1);

        assertThat(bench.refused(session, ring(own, 8192, first, apart)).status())
                .isEqualTo(VerbsStatus.EINVAL);
        assertThat(bench.refused(session, ring(own, 4097, first)).status()).isEqualTo(VerbsStatus.EINVAL);
        assertThat(bench.refused(session, ring(own, 0, first)).status()).isEqualTo(VerbsStatus.EINVAL);
        assertThat(bench.refused(session, ring(own, 4096, bench.frames(session, 0, 1)))
                        .status())
                .isEqualTo(VerbsStatus.EFAULT);
    }

    @Test
    void serveOneQueue() {
        SessionObjects own = SessionObjects.create(bench, session, DataPathKind.BYPASS);

        ControlReply.Refused second = bench.refused(session, SessionObjects.createQp(own.pd(), own.cq(), own.qpRing()));

        assertThat(second.status()).isEqualTo(VerbsStatus.EBUSY);
    }

    @Test
    void mustHoldTheQueue() {
        SessionObjects own = SessionObjects.create(bench, session, DataPathKind.BYPASS);
        long small = bench.done(
                        session, ring(own, 4096, bench.frames(session, 40, 1)), ControlReply.RingRegistered.class)
                .ring();

        ControlReply.Refused refused =
                bench.refused(session, new ControlRequest.CreateCq(own.context(), 64, small, false));

        assertThat(refused.status()).isEqualTo(VerbsStatus.EINVAL);
    }

    private ControlRequest ring(SessionObjects own, long length, FrameRun... runs) {
        return new ControlRequest.RegisterRing(own.context(), length, List.of(runs));
    }
}
