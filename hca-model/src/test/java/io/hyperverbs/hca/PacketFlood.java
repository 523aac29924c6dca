package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.roce.ManagementDatagram;
import io.hyperverbs.hca.wire.PacketOpcode;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsStatus;

/** Packets that nobody wants, for the HCA {@code b} of a scene. */
final class PacketFlood {
    private static final int GROUP_ADDRESS = 0xef01_0203;

    enum Flood {
        WRONG_ICRC,
        EMPTY,
        NO_QUEUE_PAIR,
        OF_NO_PEER,
        WRONG_QKEY,
        NO_RECEIVE,
        GROUP,
        MANAGEMENT,
        FORGED_CNP,
        FORGED_DUPLICATE,
        FORGED_GAP,
        FORGED_ACK
    }

    private final HostileScene scene;

    PacketFlood(HostileScene scene) {
        this.scene = scene;
    }

    /** Sends the {@code i}-th of them. */
    void send(Flood flood, int i) {
        WireAttacker attacker = scene.attacker.from(WireAttacker.STRANGER).to(WireFixture.B);
        TestQp rc = scene.rc;
        ForgedPacket send = new ForgedPacket(PacketOpcode.RC_SEND_ONLY, rc.qpn, scene.peer.psn, 64);
        switch (flood) {
            case WRONG_ICRC -> attacker.send(send.bytes(), 1 + i);
            case EMPTY -> attacker.sendRaw(new byte[0]);
            case NO_QUEUE_PAIR -> attacker.send(new ForgedPacket(PacketOpcode.RC_SEND_ONLY, 3 + i, 0, 64));
            case OF_NO_PEER -> attacker.send(send);
            case WRONG_QKEY -> attacker.send(datagram(scene.ud.qpn, 1));
            case NO_RECEIVE -> attacker.send(datagram(scene.ud.qpn, HostileScene.QKEY));
            case GROUP -> attacker.to(GROUP_ADDRESS).send(datagram(UdQueuePair.MULTICAST_QPN, HostileScene.QKEY));
            case MANAGEMENT ->
                attacker.send(new ForgedPacket(PacketOpcode.UD_SEND_ONLY, 1, 0, 256).deth(ManagementDatagram.QKEY, 1));
            case FORGED_CNP -> attacker.from(WireFixture.A).send(new ForgedPacket(PacketOpcode.CNP, rc.qpn, 0, 0));
            case FORGED_DUPLICATE ->
                attacker.from(WireFixture.A)
                        .send(new ForgedPacket(PacketOpcode.RC_SEND_ONLY, rc.qpn, scene.peer.psn - 1 - i, 0));
            case FORGED_GAP ->
                attacker.from(WireFixture.A)
                        .send(new ForgedPacket(PacketOpcode.RC_SEND_ONLY, rc.qpn, scene.peer.psn + 1 + i, 0));
            case FORGED_ACK ->
                attacker.from(WireFixture.A)
                        .send(new ForgedPacket(PacketOpcode.RC_ACKNOWLEDGE, rc.qpn, scene.rc.psn + i, 0).aeth(i, i));
        }
    }

    private static ForgedPacket datagram(int qpn, int qkey) {
        return new ForgedPacket(PacketOpcode.UD_SEND_ONLY, qpn, 0, 64).deth(qkey, 9);
    }

    /** Makes members of a group, and has all receives of datagrams taken. */
    void join() {
        assertThat(scene.wire
                        .b
                        .hca
                        .attachMulticast(scene.ud.qpn, Gid.ofIpv4(GROUP_ADDRESS), 0xc005)
                        .status())
                .isEqualTo(VerbsStatus.SUCCESS);
        // All receives are taken, as nobody posts others.
        for (int i = 0; i < HostileScene.RECEIVES; i++) {
            send(Flood.NO_RECEIVE, i);
        }
        scene.wire.run();
    }
}
