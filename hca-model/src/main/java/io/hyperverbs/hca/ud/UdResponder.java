package io.hyperverbs.hca.ud;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.port.PortTable;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.transport.Completer;
import io.hyperverbs.hca.transport.Message;
import io.hyperverbs.hca.transport.ReceiveWqeFetch;
import io.hyperverbs.hca.transport.SgList;
import io.hyperverbs.verbs.GlobalRoute;
import io.hyperverbs.verbs.Grh;
import io.hyperverbs.verbs.Pkey;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The responder of UD: a datagram with the wrong keys, for which no receive is posted, or that is
 * longer than the next receive, is dropped and counted; the receive stays. A receive that is wrong
 * itself ends in error, and the queue pair with it.
 */
public final class UdResponder {
    // BTH, DETH and invariant CRC, which the GRH counts as its payload.
    private static final int HEADER_BYTES = 12 + 8 + 4;
    private static final int IMMEDIATE_BYTES = 4;

    private final ContextMemory contexts;
    private final Completer completer;
    private final ReceiveWqeFetch receives;
    private final PortTable ports;
    private final SgList place;
    private final SgList header;
    private final MemorySegment headerBytes = Arena.ofAuto().allocate(Grh.SIZE_BYTES, 8);

    public UdResponder(ContextMemory contexts, Completer completer, ReceiveWqeFetch receives, PortTable ports) {
        this.contexts = contexts;
        this.completer = completer;
        this.receives = receives;
        this.ports = ports;
        this.place = new SgList(contexts.memory());
        this.header = new SgList(contexts.memory());
        header.setPrivate(headerBytes, 0, Grh.SIZE_BYTES);
    }

    /** Gives a datagram of this HCA to a queue pair; false if it was dropped. */
    boolean deliver(Qp qp, Message datagram, AddressVector towards, SgList payload) {
        GlobalRoute route = towards.to().route();
        if (route != null) {
            Grh.write(headerBytes, 0, payloadBytes(datagram), towards.source(), route);
        }
        return deliver(qp, datagram, /* hasGrh= */ route != null, payload);
    }

    /**
     * Gives a datagram that came by IPv4 to a queue pair; false if it was dropped.
     *
     * @param source IPv4 address of the sender's port
     * @param destination IPv4 address that it was sent to
     */
    public boolean deliver(Qp qp, Message datagram, int trafficClass, int source, int destination, SgList payload) {
        Grh.writeIpv4(headerBytes, 0, payloadBytes(datagram), trafficClass, source, destination);
        return deliver(qp, datagram, /* hasGrh= */ true, payload);
    }

    private boolean deliver(Qp qp, Message datagram, boolean hasGrh, SgList payload) {
        if (!isAcceptable(qp, datagram) || !take(qp, datagram)) {
            contexts.count(Counter.RX_DROPPED_MESSAGES);
            return false;
        }
        if (hasGrh) {
            SgList.copy(header, 0, place, 0, Grh.SIZE_BYTES);
        }
        SgList.copy(payload, 0, place, Grh.SIZE_BYTES, datagram.lengthBytes);
        contexts.countTraffic(Counter.RX_SEND_REQUESTS, 1);
        // Without room in the CQ the queue pair is in ERR: no answer says so.
        boolean _ = completer.datagramDone(qp, datagram, Grh.SIZE_BYTES + (int) datagram.lengthBytes, hasGrh);
        return true;
    }

    private boolean isAcceptable(Qp qp, Message datagram) {
        if (qp.responderTransport() != Qp.UD || !qp.isResponding() || qp.port() != datagram.destinationPort) {
            contexts.count(Counter.UNCONNECTED_REQUESTS);
            return false;
        }
        if (!Pkey.match(qp.route().pkey(), datagram.pkey)) {
            ports.badPkey(qp.port());
            return false;
        }
        if (qp.qkey() != datagram.qkey) {
            ports.badQkey(qp.port());
            return false;
        }
        return true;
    }

    private boolean take(Qp qp, Message datagram) {
        long lengthBytes = Grh.SIZE_BYTES + datagram.lengthBytes;
        ReceiveWqeFetch.Outcome outcome = receives.takeForDatagram(qp, lengthBytes);
        if (outcome == ReceiveWqeFetch.Outcome.NO_RECEIVE) {
            qp.context().count(Counter.OUT_OF_BUFFER);
            return false;
        }
        return outcome == ReceiveWqeFetch.Outcome.TAKEN
                && receives.place(qp, lengthBytes, place) == ReceiveWqeFetch.Outcome.TAKEN;
    }

    private static int payloadBytes(Message datagram) {
        int padded = (int) (datagram.lengthBytes + 3) & ~3;
        return HEADER_BYTES + (datagram.hasImmediate() ? IMMEDIATE_BYTES : 0) + padded;
    }
}
