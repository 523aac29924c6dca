package io.hyperverbs.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.session.ContextObject;
import io.hyperverbs.backend.testing.SessionFixture;
import io.hyperverbs.backend.testing.SessionObjects;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.vmm.hypercall.SessionReport;
import io.hyperverbs.vmm.hypercall.SessionReport.CmId;
import io.hyperverbs.vmm.hypercall.SessionReport.QuotaUse;
import io.hyperverbs.vmm.hypercall.SessionReport.Rejection;
import io.hyperverbs.vmm.hypercall.SessionReportCodec;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.io.ManagementRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SessionReportsTest extends SessionFixture {
    private static final int LISTENERS = SessionReports.CM_IDS + 1;

    /** Of one hypercall; the rest is for what goes with the report. */
    private static final int PACKET_BYTES = 60 * 1024;

    private SessionReports reports;

    @BeforeEach
    void setUp() {
        reports = new SessionReports(bench.management);
    }

    @Test
    void tellsWhatIsInUseOfEachQuota() throws Exception {
        SessionObjects objects = SessionObjects.create(bench, session, DataPathKind.BYPASS);
        ContextObject context = session.contexts().get(objects.context());
        long _ = bench.management.createChannel(session, context);

        assertThat(reports.of(session, 0).quotas())
                .containsExactly(
                        new QuotaUse("qp", 1),
                        new QuotaUse("cq", 1),
                        new QuotaUse("cqe", SessionObjects.CQ_ENTRIES),
                        new QuotaUse("mr", 1),
                        new QuotaUse("registered", SessionObjects.REGION_BYTES),
                        new QuotaUse("pd", 1),
                        new QuotaUse("ah", 1),
                        new QuotaUse("srq", 1),
                        new QuotaUse("uar", 1),
                        new QuotaUse("ring", 3),
                        new QuotaUse("cm", 1),
                        new QuotaUse("sa", 0),
                        new QuotaUse("mw", 1),
                        new QuotaUse("mcast", 0),
                        new QuotaUse("group", 0),
                        new QuotaUse("backing", FrameRun.FRAME_BYTES),
                        new QuotaUse("pump", 0));
    }

    @Test
    void tellsWhatWasRejected() {
        for (int i = 0; i < 3; i++) {
            bench.refused(session, new ControlRequest.AllocatePd(99));
        }

        assertThat(reports.of(session, 0).rejections())
                .contains(new Rejection("rejected_verb", 3), new Rejection("rejected_flood", 0));
    }

    @Test
    void idsComeInPagesThatFitOneHypercall() throws Exception {
        SessionObjects objects = SessionObjects.create(bench, session, DataPathKind.BYPASS);
        ContextObject context = session.contexts().get(objects.context());
        long channel = bench.management.createChannel(session, context);
        for (int i = 1; i <= LISTENERS; i++) {
            long _ = bench.management.listen(session, new ManagementRequest.Listen(channel, -i, 1));
        }

        SessionReport first = reports.of(session, 0);
        SessionReport rest = reports.of(session, first.cmIds().getLast().number());

        assertThat(first.more()).isTrue();
        assertThat(rest.more()).isFalse();
        assertThat(SessionReportCodec.encode(first).getSerializedSize()).isLessThan(PACKET_BYTES);
        List<CmId> all = new ArrayList<>(first.cmIds());
        all.addAll(rest.cmIds());
        assertThat(all).extracting(CmId::serviceId).doesNotHaveDuplicates().hasSize(LISTENERS);
        assertThat(SessionReportCodec.decode(SessionReportCodec.encode(first))).isEqualTo(first);
    }
}
