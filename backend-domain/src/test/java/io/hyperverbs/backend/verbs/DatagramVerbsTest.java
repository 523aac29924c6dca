package io.hyperverbs.backend.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.testing.SessionFixture;
import io.hyperverbs.backend.testing.SessionObjects;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Address handles and multicast groups through the executor. */
class DatagramVerbsTest extends SessionFixture {
    private static final Gid GROUP = new Gid(0xff12_0000_0000_0000L, 1);
    private static final int GROUP_LID = 0xc001;

    private final ControlReply.Done done = new ControlReply.Done();
    private SessionObjects own;

    @BeforeEach
    void create() {
        own = SessionObjects.create(bench, session, DataPathKind.BYPASS);
    }

    private ControlReply.Refused destroyRefused(ObjectKind kind, long handle) {
        return bench.refused(session, new ControlRequest.Destroy(kind, handle));
    }

    private ControlRequest attach(int lid) {
        return new ControlRequest.AttachMulticast(own.qp(), GROUP, lid);
    }

    private ControlRequest detach(int lid) {
        return new ControlRequest.DetachMulticast(own.qp(), GROUP, lid);
    }

    @Test
    void refusesAddressesThatAreNone() {
        ControlReply.Refused refused =
                bench.refused(session, new ControlRequest.CreateAh(own.pd(), AddressAttributes.of(0)));

        assertThat(refused.status()).isEqualTo(VerbsStatus.EINVAL);
        assertThat(refused.message()).isEqualTo("neither a LID nor a GID");
        assertThat(session.quota().used(QuotaKind.AH)).isEqualTo(1);
    }

    @Test
    void goWithTheSession() {
        bench.ok(session, attach(GROUP_LID));
        bench.ok(session, attach(GROUP_LID + 1));

        int left = bench.teardown.close(session);

        assertThat(left).isZero();
        assertThat(bench.hca.live()).isEmpty();
        assertThat(session.quota().used(QuotaKind.MCAST)).isZero();
        assertThat(session.quota().used(QuotaKind.AH)).isZero();
    }
}
