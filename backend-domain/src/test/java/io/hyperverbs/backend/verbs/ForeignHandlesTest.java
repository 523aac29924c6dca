package io.hyperverbs.backend.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.testing.EveryRequest;
import io.hyperverbs.backend.testing.ExecutorBench;
import io.hyperverbs.backend.testing.SessionFixture;
import io.hyperverbs.backend.testing.SessionObjects;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ManagementReply;
import io.hyperverbs.vmm.io.ManagementRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Every verb with every handle of another domain in every place: answered to the letter as a handle
 * that never was, so that nobody learns what others have; and nothing of theirs changes.
 */
class ForeignHandlesTest extends SessionFixture {
    private static final long NEVER_GIVEN = 0x0123_4567_89ab_cdefL;
    private static final Set<VerbsStatus> UNKNOWN = EnumSet.of(VerbsStatus.ENOENT, VerbsStatus.EINVAL);

    /** What one domain has. */
    private record Belongings(SessionObjects objects, long channel, long connection) {
        List<Long> handles() {
            List<Long> handles = new ArrayList<>(List.of(channel, connection));
            for (ObjectKind kind : ObjectKind.values()) {
                handles.add(objects.handle(kind));
            }
            return handles;
        }
    }

    private Belongings belongings(Session of) {
        SessionObjects objects = SessionObjects.create(bench, of, DataPathKind.BYPASS);
        long channel = ask(of, new ManagementRequest.CreateChannel(objects.context()), ManagementReply.Opened.class)
                .handle();
        long connection = ask(
                        of,
                        new ManagementRequest.Resolve(channel, Destination.guest(of.name())),
                        ManagementReply.Resolved.class)
                .connection();
        return new Belongings(objects, channel, connection);
    }

    private <R extends ManagementReply> R ask(Session of, ManagementRequest request, Class<R> type) {
        ControlReply.Management reply =
                bench.done(of, new ControlRequest.Management(request), ControlReply.Management.class);
        return type.cast(reply.reply());
    }

    @Test
    void areAnsweredLikeHandlesThatNeverWere() {
        Session rich = bench.session(2, Map.of("quota.control-rate", "1000000"));
        Session victim = bench.session(3, Map.of());
        Belongings own = belongings(rich);
        Belongings foreign = belongings(victim);
        List<ControlRequest> requests =
                EveryRequest.on(own.objects(), own.channel(), own.connection(), bench.frames(rich, 60, 1));
        assertThat(EveryRequest.missing(requests)).isEmpty();
        Map<?, ?> used = ExecutorBench.used(victim);
        Set<String> live = bench.hca.live();

        int tried = 0;
        for (ControlRequest request : requests) {
            List<ControlRequest> unknown = EveryRequest.with(request, NEVER_GIVEN);
            for (long handle : foreign.handles()) {
                List<ControlRequest> theirs = EveryRequest.with(request, handle);
                for (int place = 0; place < theirs.size(); place++) {
                    ControlReply.Refused toForeign = bench.refused(rich, theirs.get(place));
                    ControlReply.Refused toUnknown = bench.refused(rich, unknown.get(place));

                    assertThat(toForeign).as(theirs.get(place).toString()).isEqualTo(toUnknown);
                    assertThat(toForeign.status()).isIn(UNKNOWN);
                    tried++;
                }
            }
        }

        assertThat(tried).isGreaterThan(500);
        assertThat(ExecutorBench.used(victim)).isEqualTo(used);
        assertThat(bench.hca.live()).isEqualTo(live);
    }

    @Test
    void areUnknownToTheirOwnerOnceTheObjectIsGone() {
        SessionObjects own = SessionObjects.create(bench, session, DataPathKind.BYPASS);
        ControlRequest.Destroy destroy = new ControlRequest.Destroy(ObjectKind.AH, own.ah());
        bench.ok(session, destroy);

        assertThat(bench.refused(session, destroy).status()).isEqualTo(VerbsStatus.ENOENT);
        for (int i = 0; i < 1000; i++) {
            long next = bench.done(
                            session,
                            new ControlRequest.CreateAh(own.pd(), io.hyperverbs.verbs.AddressAttributes.of(1)),
                            ControlReply.AhCreated.class)
                    .ah();
            assertThat(bench.refused(session, destroy).status()).isEqualTo(VerbsStatus.ENOENT);
            bench.destroy(session, ObjectKind.AH, next);
        }
    }
}
