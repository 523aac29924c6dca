package io.hyperverbs.tests.fuzz;

import io.hyperverbs.backend.mad.RepLayout;
import io.hyperverbs.hca.roce.ManagementDatagram;
import io.hyperverbs.hca.roce.PacketPort;
import io.hyperverbs.hca.wire.BthLayout;
import io.hyperverbs.hca.wire.Icrc;
import io.hyperverbs.hca.wire.PacketTable;
import io.hyperverbs.verbs.UdQueuePair;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Packets that arrive at a port: the input is what somebody sends who may choose any source address but that of the
 * innocent guest's peer, and what the victim and time do in between. Each datagram is judged by itself, see {@link
 * PacketAnswers}, and all of them by {@link PacketScene}.
 */
final class PacketTarget implements FuzzTarget {
    private static final int MOST_STEPS = 48;
    private static final int CRC_ERROR = 7;
    private static final int SEVERAL = 8;
    private static final int COPIES = 3;
    private static final ThreadLocal<MemorySegment> SCRATCH =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(FuzzPort.MOST_BYTES, 64));
    private static final ValueLayout.OfInt LITTLE_INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int[] SOURCES = {
        PacketScene.PEER,
        PacketScene.PEER,
        PacketScene.PEER,
        PacketScene.STRANGER,
        PacketScene.PEER + 1,
        PacketScene.OWN,
        0,
        PacketScene.PEER
    };

    @Override
    public void play(Input input) {
        new Play(input).run();
    }

    private static final class Play {
        private final Input input;
        private final PacketScene scene = new PacketScene();
        private final MemorySegment scratch = SCRATCH.get();
        private final Icrc icrc = new Icrc(scratch);
        /** The id that our manager drew last, as its messages told. */
        private int commId;

        Play(Input input) {
            this.input = input;
            take();
        }

        void run() {
            for (int step = 0; step < MOST_STEPS && input.hasMore(); step++) {
                step();
            }
            scene.judge();
        }

        private void step() {
            switch (input.below(16)) {
                case 0, 1, 2, 3, 4, 5, 6, 7 -> packet();
                case 8, 9 -> management();
                case 10 -> raw();
                case 11 -> {
                    List<FuzzQp> senders = List.of(scene.rc, scene.onShared, scene.uc);
                    scene.request(senders.get(input.below(senders.size())), input.nextByte(), input.below(256));
                    scene.device.run();
                    take();
                }
                case 12 -> {
                    List<FuzzQp> receivers = List.of(scene.rc, scene.uc, scene.ud);
                    scene.receive(receivers.get(input.below(receivers.size())), input.nextByte());
                }
                case 13, 14 -> {
                    scene.device.pass(1L << input.below(34));
                    scene.manager.work();
                    take();
                }
                default -> {
                    scene.manager.answer(input.below(2) == 0);
                    take();
                }
            }
        }

        private void packet() {
            int way = input.below(SOURCES.length);
            int to = input.nextByte();
            arrive(way, to, FuzzPacket.next(scene, input));
        }

        private void management() {
            int way = input.below(SOURCES.length);
            int to = input.nextByte();
            int claimed = input.below(8) == 7 ? PacketScene.STRANGER : SOURCES[way];
            arrive(way, to, FuzzMad.next(input, commId, claimed, PacketScene.OWN));
        }

        /** Just bytes, with the ICRC that is theirs or without. */
        private void raw() {
            int way = input.below(SOURCES.length);
            int to = input.nextByte();
            arrive(way, to, input.next(input.nextByte()));
        }

        private void arrive(int way, int to, byte[] packet) {
            int source = SOURCES[way];
            int destination = switch (to & 7) {
                case 5 -> PacketScene.OWN + 1;
                case 6 -> PacketScene.GROUP;
                default -> PacketScene.OWN;
            };
            boolean isWhole = way != CRC_ERROR;
            byte[] datagram = withIcrc(packet, source, destination, isWhole);
            boolean mayChange = isWhole && mayChange(source, destination, packet);
            byte[] before = mayChange ? null : scene.guests().toArray(ValueLayout.JAVA_BYTE);
            take();
            FuzzPort port = destination == PacketScene.OWN + 1 ? scene.otherPort : scene.port;
            int copies = port.put(source, destination, to >>> 6, datagram, (to & SEVERAL) == 0 ? 1 : COPIES);
            scene.device.run();
            scene.manager.work();
            new PacketAnswers(take()).judge(source, to >>> 6, datagram, copies);
            if (before != null && scene.guests().mismatch(MemorySegment.ofArray(before)) >= 0) {
                throw new AssertionError("a packet for nobody has changed a guest's memory");
            }
        }

        private byte[] withIcrc(byte[] packet, int source, int destination, boolean isWhole) {
            MemorySegment.copy(packet, 0, scratch, ValueLayout.JAVA_BYTE, 0, packet.length);
            int covered = Math.max(packet.length, BthLayout.SIZE_BYTES);
            int sum = icrc.compute(0, covered, source, destination, 0, PacketPort.UDP_PORT, PacketPort.UDP_PORT);
            scratch.set(LITTLE_INT, packet.length, isWhole ? sum : ~sum);
            return scratch.asSlice(0, packet.length + Icrc.SIZE_BYTES).toArray(ValueLayout.JAVA_BYTE);
        }

        /** Whether the packet is for anybody: a datagram, or of the peer, with the PSN that is expected if it asks. */
        private boolean mayChange(int source, int destination, byte[] packet) {
            if (packet.length < BthLayout.SIZE_BYTES) {
                return false;
            }
            MemorySegment memory = MemorySegment.ofArray(packet);
            int qpn = BthLayout.destinationQpn(memory, 0);
            int opcode = BthLayout.opcode(memory, 0);
            if (PacketTable.transport(opcode) == PacketTable.UD) {
                return qpn == scene.ud.qpn || qpn == UdQueuePair.MULTICAST_QPN;
            }
            boolean isOfPeer = source == PacketScene.PEER && destination == PacketScene.OWN && scene.isConnected(qpn);
            boolean isInOrder = qpn == scene.uc.qpn
                    || !PacketTable.kind(opcode).isRequest()
                    || BthLayout.psn(memory, 0) == (scene.psn(qpn, opcode) & 0xff_ffff);
            return isOfPeer && isInOrder;
        }

        /** What was sent since the last time; learns from it as who gets it would. */
        private List<FuzzPort.Sent> take() {
            List<FuzzPort.Sent> all = new ArrayList<>(scene.port.sent);
            all.addAll(scene.otherPort.sent);
            scene.port.sent.clear();
            scene.otherPort.sent.clear();
            for (FuzzPort.Sent sent : all) {
                MemorySegment packet = MemorySegment.ofArray(sent.bytes());
                if (BthLayout.destinationQpn(packet, 0) == ManagementDatagram.QPN) {
                    learn(packet);
                }
            }
            return all;
        }

        private void learn(MemorySegment packet) {
            int header = PacketTable.headerBytes(BthLayout.opcode(packet, 0));
            byte[] mad = packet.asSlice(header, ManagementDatagram.MAD_BYTES).toArray(ValueLayout.JAVA_BYTE);
            int drawn = RepLayout.LOCAL_COMM_ID.getInt(mad);
            commId = drawn == 0 ? commId : drawn;
        }
    }
}
