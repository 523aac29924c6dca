package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.transport.LockoutPolicy;
import io.hyperverbs.hca.wire.PacketOpcode;
import io.hyperverbs.verbs.QpType;
import org.junit.jupiter.api.Test;

/** Keys that are missed over a wire, and the lockout of domains of this HCA that miss some. */
class WireLockoutTest {
    @Test
    void aMissFromTheWireIsNoDomainsOfThisHca() {
        HostileScene scene = new HostileScene();
        scene.wire.b.hca.keyLockout(LockoutPolicy.standard());
        TestQp sender = TestQp.of(QpType.UC, scene.wire.b, scene.other);
        TestQp receiver = TestQp.of(QpType.UC, scene.wire.b, scene.victim);
        TestQp.connectUc(sender, receiver);
        Buffer from = scene.secret;

        for (int i = 0; i < 20; i++) {
            scene.attacker
                    .from(WireFixture.A)
                    .send(new ForgedPacket(PacketOpcode.UC_RDMA_WRITE_ONLY, scene.uc.qpn, i, 8)
                            .reth(scene.buffer.address(), scene.buffer.rkey() + 1, 8));
            scene.wire.run();
            // No receive is posted: it is dropped, and misses no key.
            sender.send(i, TestQp.SIGNALLED, from, 0, 8);
            scene.wire.run();
        }

        assertThat(scene.wire.b.counter(Counter.RESP_REMOTE_ACCESS_ERRORS)).isEqualTo(20);
        assertThat(sender.cq.drain()).hasSize(20);
        assertThat(scene.wire.b.counter(Counter.KEY_LOCKOUTS)).isZero();
    }
}
