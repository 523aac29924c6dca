package io.hyperverbs.backend.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.testing.FakeMachine;
import io.hyperverbs.backend.testing.SessionFixture;
import io.hyperverbs.backend.testing.SessionObjects;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Registering memory: ranges, frames and what is counted. */
class RegistrationTest extends SessionFixture {
    @Test
    void passesExactlyThePagesOfTheRange() {
        SessionObjects own = SessionObjects.create(bench, session, DataPathKind.BYPASS);
        FrameRun frames = bench.frames(session, 40, 2);

        bench.done(
                session,
                register(own.pd(), 0x10ff0, 32, Access.LOCAL_WRITE.bit(), frames),
                ControlReply.MemoryRegistered.class);

        assertThat(bench.hca.lastRegion().offsetInFirstRun()).isEqualTo(0xff0);
        assertThat(bench.hca.lastRegion().runs()).hasSize(1);
        assertThat(bench.hca.lastRegion().runs().getFirst().machineAddress()).isEqualTo(frames.firstMachineAddress());
    }

    @Test
    void refusesBadNumbersBeforeAnyEffect() {
        SessionObjects own = SessionObjects.create(bench, session, DataPathKind.BYPASS);
        FakeMachine.Counters before = bench.machine.counters();
        FrameRun one = bench.frames(session, 40, 1);
        FrameRun two = bench.frames(session, 40, 2);
        int write = Access.LOCAL_WRITE.bit();

        List<ControlRequest> bad = List.of(
                register(own.pd(), 0x10000, 0, write, one),
                register(own.pd(), 0x10000, -1, write, one),
                register(own.pd(), 0x10000, Long.MAX_VALUE, write, one),
                register(own.pd(), 0x10000, 4096, write, two),
                register(own.pd(), 0x10001, 4096, write, one),
                register(own.pd(), -4096, 8192, write, two),
                register(own.pd(), 0x10000, 4096, Access.REMOTE_WRITE.bit(), one),
                register(own.pd(), 0x10000, 4096, Access.REMOTE_ATOMIC.bit(), one),
                register(own.pd(), 0x10000, 4096, 1 << 20, one),
                register(own.pd(), 0x10000, 4096, write));

        assertThat(bad)
                .allSatisfy(request ->
                        assertThat(bench.refused(session, request).status()).isEqualTo(VerbsStatus.EINVAL));
        assertThat(bench.machine.counters()).isEqualTo(before);
    }

    @Test
    void takesTheLastPageOfTheAddressSpace() {
        SessionObjects own = SessionObjects.create(bench, session, DataPathKind.BYPASS);

        bench.done(
                session,
                register(own.pd(), -4096, 4096, Access.LOCAL_WRITE.bit(), bench.frames(session, 40, 1)),
                ControlReply.MemoryRegistered.class);
    }

    @Test
    void refusesFramesThatAreNotOrdinaryMemoryOfTheDomain() {
        Session other = bench.session(2, Map.of());
        SessionObjects own = SessionObjects.create(bench, session, DataPathKind.BYPASS);
        int write = Access.LOCAL_WRITE.bit();

        List<FrameRun> bad = List.of(
                bench.frames(other, 0, 1),
                bench.frames(session, 8, 1),
                new FrameRun(bench.services.statusPage().firstMachineFrame(), 1),
                new FrameRun(1L << 40, 1));

        assertThat(bad)
                .allSatisfy(run -> assertThat(bench.refused(session, register(own.pd(), 0, 4096, write, run))
                                .status())
                        .isEqualTo(VerbsStatus.EFAULT));
    }

    @Test
    void countsRegionsAndBytesExactly() {
        Session small = bench.session(3, Map.of("quota.mr", "2", "quota.registered", "12288"));
        long pd = bench.pd(small, bench.context(small, DataPathKind.BYPASS));
        register(small, pd, 0, 1);

        ControlReply.Refused bytes = bench.refused(small, SessionObjects.register(pd, bench.frames(small, 1, 3)));
        register(small, pd, 1, 2);
        ControlReply.Refused count = bench.refused(small, SessionObjects.register(pd, bench.frames(small, 3, 1)));

        assertThat(bytes.status()).isEqualTo(VerbsStatus.EAGAIN);
        assertThat(bytes.message()).contains("registered").contains("4096 of 12288");
        assertThat(count.status()).isEqualTo(VerbsStatus.EAGAIN);
        assertThat(count.message()).contains("quota mr: 2 of 2");
    }

    private void register(Session of, long pd, int first, int count) {
        bench.done(
                of, SessionObjects.register(pd, bench.frames(of, first, count)), ControlReply.MemoryRegistered.class);
    }

    private ControlRequest register(long pd, long address, long length, int access, FrameRun... runs) {
        return new ControlRequest.RegisterMemory(pd, address, length, access, List.of(runs));
    }
}
