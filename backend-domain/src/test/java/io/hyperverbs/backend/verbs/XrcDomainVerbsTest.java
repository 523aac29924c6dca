package io.hyperverbs.backend.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.testing.SessionFixture;
import io.hyperverbs.backend.testing.SessionObjects;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class XrcDomainVerbsTest extends SessionFixture {
    private static final QpLimits NO_RECEIVES = QpLimits.of(16, 0);

    private SessionObjects own;
    private long xrcd;

    @BeforeEach
    void setUp() {
        own = SessionObjects.create(bench, session, DataPathKind.FORWARDED);
        xrcd = bench.xrcd(session, own.context());
    }

    private ControlRequest queuePair(QpType type, long domain) {
        return new ControlRequest.CreateQp(domain, type.code(), own.cq(), own.cq(), 0, NO_RECEIVES);
    }

    @Test
    void anXrcDomainIsNoProtectionDomain() {
        List<ControlRequest> requests = List.of(
                new ControlRequest.RegisterMemory(xrcd, 0, 4096, Access.LOCAL_WRITE.bit(), List.of()),
                new ControlRequest.AllocateDmaKey(xrcd),
                new ControlRequest.AllocateWindow(xrcd, 1),
                new ControlRequest.CreateAh(xrcd, AddressAttributes.of(1)),
                new ControlRequest.CreateSrq(xrcd, SessionObjects.SRQ_LIMITS, 0),
                queuePair(QpType.RC, xrcd),
                queuePair(QpType.XRC_SEND, xrcd));

        assertThat(requests).allSatisfy(request -> {
            ControlReply.Refused refused = bench.refused(session, request);
            assertThat(refused.status()).isEqualTo(VerbsStatus.EINVAL);
            assertThat(refused.message()).contains("no such PD");
        });
    }

    @Test
    void aProtectionDomainIsNoXrcDomain() {
        List<ControlRequest> requests = List.of(
                new ControlRequest.CreateSrq(own.pd(), SessionObjects.SRQ_LIMITS, 0, own.pd(), own.cq()),
                queuePair(QpType.XRC_RECV, own.pd()));

        assertThat(requests).allSatisfy(request -> {
            ControlReply.Refused refused = bench.refused(session, request);
            assertThat(refused.status()).isEqualTo(VerbsStatus.EINVAL);
            assertThat(refused.message()).contains("no such XRC domain");
        });
    }

    @Test
    void countsAsAProtectionDomainAndIsEndedAsOne() {
        long used = session.quota().used(QuotaKind.PD);
        long target = bench.done(session, queuePair(QpType.XRC_RECV, xrcd), ControlReply.QpCreated.class)
                .qp();
        ControlRequest.Destroy end = new ControlRequest.Destroy(ObjectKind.PD, xrcd);
        assertThat(bench.refused(session, end).status()).isEqualTo(VerbsStatus.EBUSY);

        bench.destroy(session, ObjectKind.QP, target);
        bench.ok(session, end);

        assertThat(session.quota().used(QuotaKind.PD)).isEqualTo(used - 1);
        assertThat(bench.refused(session, end).status()).isEqualTo(VerbsStatus.ENOENT);
    }
}
