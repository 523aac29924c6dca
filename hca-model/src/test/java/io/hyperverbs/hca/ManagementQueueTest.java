package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.roce.ManagementDatagram;
import io.hyperverbs.verbs.Pkey;
import io.hyperverbs.verbs.VerbsStatus;
import org.junit.jupiter.api.Test;

/** QP1 of two HCAs. */
class ManagementQueueTest {
    private final WireFixture wire = new WireFixture(1);
    private final ManagementDatagram datagram = new ManagementDatagram();

    private ManagementDatagram to(int address) {
        datagram.port = 1;
        datagram.address = address;
        datagram.pkey = Pkey.DEFAULT;
        for (int i = 0; i < ManagementDatagram.MAD_BYTES; i++) {
            datagram.mad()[i] = (byte) (i + 1);
        }
        return datagram;
    }

    @Test
    void datagramsArriveWithWhereTheyComeFrom() {
        int[] signals = {0};
        wire.b.hca.management().onArrival(() -> signals[0]++);

        assertThat(wire.a.hca.send(to(WireFixture.B))).isEqualTo(VerbsStatus.SUCCESS);
        wire.run();

        ManagementDatagram got = new ManagementDatagram();
        assertThat(wire.b.hca.management().next(got)).isTrue();
        assertThat(got.address).isEqualTo(WireFixture.A);
        assertThat(got.port).isOne();
        assertThat(got.qpn).isEqualTo(ManagementDatagram.QPN);
        assertThat(got.mad()).isEqualTo(datagram.mad());
        assertThat(wire.b.hca.management().next(got)).isFalse();
        assertThat(signals[0]).isOne();
    }

    @Test
    void whatNobodyTakesIsDropped() {
        for (int i = 0; i < 300; i++) {
            assertThat(wire.a.hca.send(to(WireFixture.B))).isEqualTo(VerbsStatus.SUCCESS);
            wire.run();
        }

        int taken = 0;
        while (wire.b.hca.management().next(datagram)) {
            taken++;
        }
        assertThat(taken).isEqualTo(256);
        assertThat(wire.b.counter(Counter.RX_DROPPED_PACKETS)).isEqualTo(300 - 256);
    }

    @Test
    void partitionsAreKept() {
        to(WireFixture.B).pkey = 0x9999;
        assertThat(wire.a.hca.send(datagram)).isEqualTo(VerbsStatus.SUCCESS);
        wire.run();

        assertThat(wire.b.hca.management().next(datagram)).isFalse();
        assertThat(wire.b.counter(Counter.BAD_PKEYS)).isOne();
    }

    @Test
    void anHcaWithoutAWireSendsNone() {
        assertThat(new HcaFixture().hca.send(to(WireFixture.B))).isEqualTo(VerbsStatus.EINVAL);
    }
}
