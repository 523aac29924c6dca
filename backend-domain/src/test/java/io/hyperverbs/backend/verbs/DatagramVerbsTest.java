package io.hyperverbs.backend.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.testing.SessionFixture;
import io.hyperverbs.backend.testing.SessionObjects;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import java.util.Map;
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
    void countsAddressHandles() {
        Session small = bench.session(4, Map.of("quota.ah", "1"));
        SessionObjects full = SessionObjects.create(bench, small, DataPathKind.BYPASS);

        ControlReply.Refused refused =
                bench.refused(small, new ControlRequest.CreateAh(full.pd(), AddressAttributes.of(1)));

        assertThat(refused.status()).isEqualTo(VerbsStatus.EAGAIN);
        assertThat(refused.message()).contains("quota ah: 1 of 1");
    }

    @Test
    void attachingTwiceIsOnce() {
        assertThat(bench.call(session, attach(GROUP_LID))).isEqualTo(done);
        assertThat(bench.call(session, attach(GROUP_LID))).isEqualTo(done);

        assertThat(session.quota().used(QuotaKind.MCAST)).isEqualTo(1);
        assertThat(bench.call(session, detach(GROUP_LID))).isEqualTo(done);
        assertThat(session.quota().used(QuotaKind.MCAST)).isZero();
        assertThat(bench.refused(session, detach(GROUP_LID)).status()).isEqualTo(VerbsStatus.EINVAL);
    }

    @Test
    void countsAttachments() {
        Session small = bench.session(4, Map.of("quota.mcast", "1"));
        SessionObjects full = SessionObjects.create(bench, small, DataPathKind.BYPASS);
        bench.ok(small, new ControlRequest.AttachMulticast(full.qp(), GROUP, GROUP_LID));

        ControlReply.Refused refused =
                bench.refused(small, new ControlRequest.AttachMulticast(full.qp(), GROUP, GROUP_LID + 1));

        assertThat(refused.status()).isEqualTo(VerbsStatus.EAGAIN);
        assertThat(refused.message()).contains("quota mcast: 1 of 1");
    }

    @Test
    void refusesToDestroyAnAttachedQueuePair() {
        bench.ok(session, attach(GROUP_LID));

        assertThat(destroyRefused(ObjectKind.QP, own.qp()).status()).isEqualTo(VerbsStatus.EBUSY);
        bench.ok(session, detach(GROUP_LID));
        bench.destroy(session, ObjectKind.QP, own.qp());
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

    @Test
    void keepsControlledQkeysFromDomains() {
        ControlReply.Refused refused =
                bench.refused(session, new ControlRequest.ModifyQp(own.qp(), QpAttributes.toUdInit(0x8000_0001)));

        assertThat(refused.status()).isEqualTo(VerbsStatus.EPERM);
    }
}
