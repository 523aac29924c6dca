package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.port.PortTable;
import io.hyperverbs.hca.wire.BthLayout;
import io.hyperverbs.hca.wire.DethLayout;
import io.hyperverbs.hca.wire.PacketOpcode.Header;
import io.hyperverbs.hca.wire.PacketOpcode.Place;
import io.hyperverbs.hca.wire.PacketTable;
import io.hyperverbs.verbs.Pkey;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * QP1 of the ports, which is the driver's and not a guest's: management datagrams that came wait in a
 * bounded queue for one reader; more are dropped, as datagrams may be. The engine thread fills it and sends, {@link
 * #next} is for one other thread.
 */
public final class ManagementQueue {
    private static final int SLOTS = 256;

    private final PortTable ports;
    private final Ports wire;
    private final ContextMemory contexts;
    private final ManagementDatagram[] slots = new ManagementDatagram[SLOTS];
    private volatile int head;
    private volatile int tail;
    private volatile Runnable signal = () -> {};

    ManagementQueue(PortTable ports, Ports wire, ContextMemory contexts) {
        this.ports = ports;
        this.wire = wire;
        this.contexts = contexts;
        for (int i = 0; i < SLOTS; i++) {
            slots[i] = new ManagementDatagram();
        }
    }

    /** What the engine thread calls when one came: it must not block. */
    public void onArrival(Runnable action) {
        signal = action;
    }

    /** Takes the oldest; false if there is none. */
    public boolean next(ManagementDatagram into) {
        int at = head;
        if (at == tail) {
            return false;
        }
        into.copyFrom(slots[at & (SLOTS - 1)]);
        head = at + 1;
        return true;
    }

    /** One came to QP1 of that port. */
    void arrived(Arrival arrival, int port) {
        MemorySegment memory = arrival.memory();
        int at = tail;
        boolean isDatagram = PacketTable.transport(arrival.opcode) == PacketTable.UD;
        long deth = arrival.offset() + PacketTable.headerOffset(arrival.opcode, Header.DETH);
        if (!isDatagram || arrival.payloadBytes() != ManagementDatagram.MAD_BYTES) {
            contexts.count(Counter.RX_DROPPED_PACKETS);
        } else if (DethLayout.qkey(memory, deth) != ManagementDatagram.QKEY) {
            ports.badQkey(port);
        } else if (!hasPkey(arrival.pkey())) {
            ports.badPkey(port);
        } else if (at - head == SLOTS) {
            contexts.count(Counter.RX_DROPPED_PACKETS);
        } else {
            ManagementDatagram slot = slots[at & (SLOTS - 1)];
            slot.port = port;
            slot.address = arrival.sourceAddress;
            slot.qpn = DethLayout.sourceQpn(memory, deth);
            slot.pkey = arrival.pkey();
            slot.read(memory, arrival.payload());
            tail = at + 1;
            signal.run();
        }
    }

    private boolean hasPkey(int pkey) {
        // An iterator would be garbage for each packet.
        List<Integer> pkeys = ports.settings().pkeys();
        for (int i = 0; i < pkeys.size(); i++) {
            if (Pkey.match(pkeys.get(i), pkey)) {
                return true;
            }
        }
        return false;
    }

    /** Sends one; it is lost if the port is down or the network takes no more. */
    void send(ManagementDatagram datagram) {
        PacketWriter writer = wire.writer(datagram.port);
        if (!ports.isUp(datagram.port) || !writer.hasRoom(1)) {
            return;
        }
        MemorySegment memory = writer.memory();
        int opcode = PacketTable.request(PacketTable.UD, SendWqeLayout.OPCODE_SEND, Place.ONLY);
        long at = writer.begin();
        BthLayout.write(memory, at, opcode, 0, 0, datagram.pkey, datagram.qpn, 0);
        long deth = at + PacketTable.headerOffset(opcode, Header.DETH);
        DethLayout.write(memory, deth, ManagementDatagram.QKEY, ManagementDatagram.QPN);
        int header = PacketTable.headerBytes(opcode);
        MemorySegment.copy(datagram.mad(), 0, memory, ValueLayout.JAVA_BYTE, at + header, ManagementDatagram.MAD_BYTES);
        writer.end(header + ManagementDatagram.MAD_BYTES, datagram.address, 0);
        contexts.count(Counter.PORT_XMIT_PACKETS);
    }
}
