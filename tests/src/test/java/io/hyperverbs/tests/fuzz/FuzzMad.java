package io.hyperverbs.tests.fuzz;

import io.hyperverbs.backend.mad.CmMessage;
import io.hyperverbs.backend.mad.MadHeaderLayout;
import io.hyperverbs.backend.mad.RepLayout;
import io.hyperverbs.backend.mad.ReqLayout;
import io.hyperverbs.hca.roce.ManagementDatagram;
import io.hyperverbs.hca.wire.BthLayout;
import io.hyperverbs.hca.wire.DethLayout;
import io.hyperverbs.hca.wire.PacketOpcode;
import io.hyperverbs.hca.wire.PacketOpcode.Header;
import io.hyperverbs.hca.wire.PacketTable;
import io.hyperverbs.verbs.Gid;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A packet to QP1 without its ICRC: a message of connection management or subnet administration, from bytes of the input. */
final class FuzzMad {
    private static final int OPCODE = PacketOpcode.UD_SEND_ONLY.code();
    private static final int FIRST_FIELD = MadHeaderLayout.SIZE_BYTES;
    private static final int MTU_CODE = 4;
    private static final int FOREIGN_QPN = 77;

    private FuzzMad() {}

    /**
     * One for a manager that has drawn {@code commId}.
     *
     * @param peer IPv4 address that a REQ says it comes from
     */
    static byte[] next(Input input, int commId, int peer, int own) {
        byte[] mad = mad(input, commId, peer, own);
        // Any byte may be another one.
        for (int patches = input.below(4); patches > 0; patches--) {
            mad[input.nextByte()] = (byte) input.nextByte();
        }
        byte[] bytes = new byte[PacketTable.headerBytes(OPCODE) + mad.length];
        MemorySegment packet = MemorySegment.ofArray(bytes);
        BthLayout.write(packet, 0, OPCODE, 0, 0, BthLayout.DEFAULT_PKEY, ManagementDatagram.QPN, 0);
        int qkey = input.below(16) == 15 ? input.nextInt() : ManagementDatagram.QKEY;
        DethLayout.write(packet, PacketTable.headerOffset(OPCODE, Header.DETH), qkey, ManagementDatagram.QPN);
        System.arraycopy(mad, 0, bytes, bytes.length - mad.length, mad.length);
        return bytes;
    }

    /** Whether a datagram has a REQ where one would be. */
    static boolean isCall(byte[] datagram) {
        int header = PacketTable.headerBytes(OPCODE);
        if (datagram.length < header + ManagementDatagram.MAD_BYTES) {
            return false;
        }
        byte[] mad = Arrays.copyOfRange(datagram, header, header + ManagementDatagram.MAD_BYTES);
        return MadHeaderLayout.ATTRIBUTE_ID.getInt(mad) == CmMessage.REQ.attributeId();
    }

    private static byte[] mad(Input input, int commId, int peer, int own) {
        int pick = input.below(CmMessage.values().length + 2);
        int transaction = input.nextByte();
        if (pick >= CmMessage.values().length) {
            int method = pick == CmMessage.values().length ? MadHeaderLayout.GET : MadHeaderLayout.GET_RESPONSE;
            return MadHeaderLayout.create(
                    ManagementDatagram.MAD_BYTES,
                    MadHeaderLayout.SUBNET_ADMINISTRATION,
                    method,
                    input.nextInt() & 0xffff,
                    transaction);
        }
        CmMessage message = CmMessage.values()[pick];
        byte[] mad = message.create(ManagementDatagram.MAD_BYTES, transaction);
        // Both ids are where all messages but the REQ have them.
        RepLayout.LOCAL_COMM_ID.set(mad, 1 + input.below(3));
        switch (message) {
            case REQ -> request(mad, peer, own);
            case REP -> {
                RepLayout.REMOTE_COMM_ID.set(mad, commId);
                RepLayout.LOCAL_QPN.set(mad, FOREIGN_QPN);
            }
            case MRA, REJ, RTU, DREQ, DREP, SIDR_REQ, SIDR_REP -> RepLayout.REMOTE_COMM_ID.set(mad, commId);
        }
        for (int at = FIRST_FIELD + 8; input.below(2) == 1 && at < mad.length - 8; at += 8) {
            System.arraycopy(longBytes(input.nextLong()), 0, mad, at, 8);
        }
        return mad;
    }

    private static byte[] longBytes(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    private static void request(byte[] mad, int peer, int own) {
        ReqLayout.SERVICE_ID.set(mad, FuzzManager.SERVICE);
        ReqLayout.LOCAL_QPN.set(mad, FOREIGN_QPN);
        ReqLayout.PATH_MTU.set(mad, MTU_CODE);
        ReqLayout.PKEY.set(mad, BthLayout.DEFAULT_PKEY);
        ReqLayout.PRIMARY_LOCAL_GID.set(mad, Gid.ofIpv4(peer));
        ReqLayout.PRIMARY_REMOTE_GID.set(mad, Gid.ofIpv4(own));
    }
}
