package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.transport.Message;
import io.hyperverbs.hca.transport.RequestHeaders;
import io.hyperverbs.hca.wire.BthLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** The ports of the HCA that are on a wire: what goes out by each. Engine thread only. */
final class Ports {
    /** ECN-capable transport (RFC 3168), so that a switch marks packets before it drops them. */
    static final int ECN_CAPABLE = 2;

    private final PacketWriter[] writers;
    private final ContextMemory contexts;

    Ports(List<PacketWriter> writers, ContextMemory contexts) {
        this.contexts = contexts;
        this.writers = writers.toArray(PacketWriter[]::new);
    }

    int count() {
        return writers.length;
    }

    /** Of port {@code number}, from 1. */
    PacketWriter writer(int number) {
        return writers[number - 1];
    }

    PacketWriter writer(Qp qp) {
        return writers[qp.route().port() - 1];
    }

    /**
     * Begins a packet of a request: BTH, XRCETH, immediate data or key to end.
     *
     * @return its offset
     */
    long begin(Qp qp, Message message, int opcode, int psn, boolean asksForAck, int padBytes) {
        PacketWriter writer = writer(qp);
        MemorySegment memory = writer.memory();
        long at = writer.begin();
        RequestHeaders.write(memory, at, message, opcode, psn, asksForAck, padBytes);
        return at;
    }

    /** Begins a packet that answers the peer of a connected queue pair. @return its offset */
    long answer(Qp qp, int opcode, int psn, int padBytes) {
        PacketWriter writer = writer(qp);
        long at = writer.begin();
        BthLayout.write(writer.memory(), at, opcode, 0, padBytes, qp.route().pkey(), qp.destinationQpn(), psn);
        return at;
    }

    /** Ends a packet of so many bytes to the peer of a connected queue pair; it is lost if the port is down. */
    void end(Qp qp, int lengthBytes) {
        end(qp, lengthBytes, ECN_CAPABLE);
    }

    /** The same with another traffic class. */
    void end(Qp qp, int lengthBytes, int trafficClass) {
        if (qp.route().isPortUp()) {
            writer(qp).end(lengthBytes, qp.route().remoteAddress(), trafficClass);
            contexts.count(Counter.PORT_XMIT_PACKETS);
        }
    }

    /** Ends a packet at {@code at} with so many bytes of payload, and pads it. */
    void end(Qp qp, long at, int headerBytes, int payloadBytes) {
        int pad = RequestHeaders.padBytes(payloadBytes);
        pad(writer(qp).memory(), at + headerBytes + payloadBytes, pad);
        end(qp, headerBytes + payloadBytes + pad);
    }

    static void pad(MemorySegment memory, long at, int bytes) {
        for (int i = 0; i < bytes; i++) {
            memory.set(ValueLayout.JAVA_BYTE, at + i, (byte) 0);
        }
    }

    /** Bytes that were written and are not sent. */
    long unsentBytes() {
        long bytes = 0;
        for (PacketWriter writer : writers) {
            bytes += writer.begin();
        }
        return bytes;
    }

    boolean isSending() {
        for (PacketWriter writer : writers) {
            if (writer.isSending()) {
                return true;
            }
        }
        return false;
    }

    /** Sends what was written. @return whether something went */
    boolean flush() {
        boolean went = false;
        for (PacketWriter writer : writers) {
            went |= writer.flush();
        }
        return went;
    }
}
