package io.hyperverbs.backend.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.vmm.hypercall.SessionReport.CmId;
import io.hyperverbs.vmm.hypercall.SessionReport.Peer;
import io.hyperverbs.vmm.io.ManagementReply;
import io.hyperverbs.vmm.io.ManagementRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Listeners and ends of connections as the operator sees them. */
class CmIdsTest extends TwoEnds {
    private static final int ALL = 100;

    private List<CmId> ids(CmEnd end) {
        return bench.management.ids(end.session(), 0, ALL);
    }

    private String gid(CmEnd end) {
        return bench.management.gid(end.session()).toString();
    }

    @Test
    void channelsMembershipsAndServicesAreNoIds() {
        long context = caller.objects().context();
        var _ = caller.reply(
                new ManagementRequest.JoinGroup(context, new Gid(0xff12_0000_0000_0000L, 1), 1, 0x11),
                ManagementReply.Joined.class);
        var _ = caller.reply(
                new ManagementRequest.RegisterService(context, 9, "store", PrivateData.none(), 10),
                ManagementReply.ServiceRegistered.class);

        assertThat(bench.management.size(caller.session())).isEqualTo(3);
        assertThat(ids(caller)).isEmpty();
    }

    @Test
    void listenerSaysWhatItListensTo() {
        var _ = callee.listen();

        CmId only = ids(callee).getFirst();

        assertThat(only).isEqualTo(new CmId(only.number(), "LISTEN", true, 0, 0, gid(callee), CmEnd.SERVICE, null));
    }

    @Test
    void bothEndsOfAConnectionNameEachOther() {
        var _ = callee.listen();
        var _ = caller.call(callee);
        callee.done(callee.accept(callee.called()));
        long out = caller.next(CmEvent.Type.CONNECT_RESPONSE).connection();
        assertThat(out).isPositive();

        CmId active = ids(caller).getFirst();
        CmId passive = ids(callee).getLast();

        assertThat(active.state()).isEqualTo("REP_RECEIVED");
        assertThat(active.passive()).isFalse();
        assertThat(active.qpn()).isEqualTo(caller.qpn());
        assertThat(active.remoteQpn()).isEqualTo(callee.qpn());
        assertThat(active.peer()).isEqualTo(new Peer(callee.session().name(), gid(callee)));
        assertThat(passive.state()).isEqualTo("REP_SENT");
        assertThat(passive.passive()).isTrue();
        assertThat(passive.qpn()).isEqualTo(callee.qpn());
        assertThat(passive.remoteQpn()).isEqualTo(caller.qpn());
        assertThat(passive.peer()).isEqualTo(new Peer(caller.session().name(), gid(caller)));
        assertThat(passive.number()).isNotEqualTo(active.number());
    }

    @Test
    void numbersLeadFromPageToPage() {
        for (int i = 0; i < 5; i++) {
            var _ = caller.resolve(callee);
        }
        List<CmId> all = ids(caller);

        List<CmId> first = bench.management.ids(caller.session(), 0, 2);
        List<CmId> second =
                bench.management.ids(caller.session(), first.getLast().number(), 2);
        List<CmId> third =
                bench.management.ids(caller.session(), second.getLast().number(), 2);

        assertThat(all).hasSize(5).doesNotHaveDuplicates();
        assertThat(first).isEqualTo(all.subList(0, 2));
        assertThat(second).isEqualTo(all.subList(2, 4));
        assertThat(third).isEqualTo(all.subList(4, 5));
    }

    @Test
    void whatIsInUseIsWhatManagementCounts() {
        var _ = callee.listen();
        var _ = caller.call(callee);

        assertThat(bench.management.used(caller.session(), QuotaKind.CM)).isEqualTo(2);
        // A channel, a listener, and the end that waits to be accepted.
        assertThat(bench.management.used(callee.session(), QuotaKind.CM)).isEqualTo(3);
        assertThat(bench.management.used(callee.session(), QuotaKind.SA)).isZero();
        callee.die();
        assertThat(bench.management.used(callee.session(), QuotaKind.CM)).isZero();
        assertThat(ids(callee)).isEmpty();
    }
}
