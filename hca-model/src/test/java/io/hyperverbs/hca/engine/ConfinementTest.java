package io.hyperverbs.hca.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.cq.Cq;
import io.hyperverbs.hca.event.EventQueue;
import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.layout.UarContextLayout;
import io.hyperverbs.hca.port.PkeyTable;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.QpPlan;
import io.hyperverbs.hca.roce.Network;
import io.hyperverbs.hca.schedule.DomainShare;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.Pkey;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A throwable of our own making stays with the queue pair it hit. */
class ConfinementTest {
    private static final long CONTEXTS = 1 << 16;

    private final MemorySegment memory = Arena.ofAuto().allocate(1 << 20, 4096);
    private final HcaDevice device = device();
    private final Engine engine = new Engine(device, () -> {});
    private static final PkeyTable PKEYS = new PkeyTable(List.of(Pkey.DEFAULT));
    private final Uar uar = device.uars().open(9, 0, 1, 0, 0, PKEYS);

    private HcaDevice device() {
        int[] counts = new int[ContextMemoryLayout.TABLES];
        Arrays.fill(counts, 8);
        ContextMemoryLayout.format(memory, CONTEXTS, counts);
        HcaSizes sizes = new HcaSizes(8, 8, 8, 8, 8, 8, 8, 1L << 31, 16);
        return new HcaDevice(
                sizes,
                io.hyperverbs.hca.port.PortSettings.standard(1, 2048),
                Network.none(),
                new ContextMemory(memory, CONTEXTS),
                new SplittableRandom(1),
                () -> {},
                address -> {});
    }

    /** In RTS, with its rings where the driver said; the HCA trusts its driver in this. */
    private Qp queuePair(long ringAddress) {
        return queuePair(ringAddress, uar);
    }

    private Qp queuePair(long ringAddress, Uar of) {
        int domain = of.share().domain();
        Cq cq = device.cqs().create(domain, of.number(), of.takeSlot(), 8192, 16);
        Qp qp = device.qps()
                .create(new QpPlan(
                        of.share(),
                        of.pkeys(),
                        of.number(),
                        of.takeSlot(),
                        1,
                        QpType.RC,
                        cq,
                        cq,
                        ringAddress,
                        QpLimits.of(4, 4),
                        QueueGeometry.of(4, 4, 1, 1, 64)));
        qp.move(QpState.INIT);
        qp.move(QpState.RTR);
        qp.move(QpState.RTS);
        return qp;
    }

    @Test
    void domainThatFailsTheEngineAgainAndAgainIsQuarantined() {
        Uar other = device.uars().open(10, 4096, 1, 0, 0, PKEYS);
        Qp sound = queuePair(32768);
        Qp ofAnother = queuePair(32768, other);
        int failed = 0;
        while (!uar.share().isQuarantined()) {
            assertThat(sound.state()).isEqualTo(QpState.RTS);
            failOnce();
            failed++;
        }

        // Each fails on its turn, and once more when its ring is flushed.
        assertThat(failed).isBetween(DomainShare.FAULTS / 2, DomainShare.FAULTS);
        assertThat(sound.state()).isEqualTo(QpState.ERR);
        assertThat(ofAnother.state()).isEqualTo(QpState.RTS);
        assertThat(other.share().isQuarantined()).isFalse();
    }

    private void failOnce() {
        Qp broken = queuePair(memory.byteSize());
        device.arbiter().add(uar.share(), broken.index());
        for (int i = 0; i < 5; i++) {
            assertThat(engine.doWork(i)).isNotNegative();
        }
        assertThat(broken.state()).isEqualTo(QpState.ERR);
        device.arbiter().remove(uar.share(), broken.index());
        device.timers().cancel(broken.index());
        device.cqs().destroy(unlinked(broken));
    }

    /** Its completion queue, once the queue pair is gone. */
    private Cq unlinked(Qp broken) {
        Cq cq = broken.sendCq();
        device.qps().destroy(broken);
        return cq;
    }

    @Test
    void engineSurvivesAndTheQueuePairGoesToErr() {
        Qp broken = queuePair(memory.byteSize());
        Qp sound = queuePair(32768);
        device.arbiter().add(uar.share(), broken.index());
        device.arbiter().add(uar.share(), sound.index());

        for (int i = 0; i < 5; i++) {
            assertThat(engine.doWork(i)).isNotNegative();
        }

        assertThat(broken.state()).isEqualTo(QpState.ERR);
        assertThat(sound.state()).isEqualTo(QpState.RTS);
        EventQueue events = device.events();
        assertThat(events.next()).isTrue();
        assertThat(events.source().number()).isEqualTo(broken.qpn());
        assertThat(events.kind()).isEqualTo(1 + AsyncEvent.Type.QP_FATAL.code());
        assertThat(events.next()).isFalse();
        assertThat(ContextMemoryLayout.counter(memory, CONTEXTS, Counter.ENGINE_FAULTS))
                .isPositive();
        assertThat(UarContextLayout.get(
                        memory,
                        ContextMemoryLayout.entry(memory, CONTEXTS, Table.UAR, 0),
                        UarContextLayout.Field.FAULTS))
                .isPositive();
        assertThat(engine.doWork(100)).isZero();
    }
}
