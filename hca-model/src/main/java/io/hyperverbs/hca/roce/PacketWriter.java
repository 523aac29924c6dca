package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.capture.CapturePoint;
import io.hyperverbs.hca.capture.CapturedPacket;
import io.hyperverbs.hca.capture.PacketFate;
import io.hyperverbs.hca.wire.Icrc;
import java.lang.foreign.MemorySegment;

/**
 * Writes packets one after the other into what a port sends, each with its ICRC, and puts those of one length to one
 * place together, so that the network takes them as one. Engine thread only; allocates nothing.
 */
final class PacketWriter {
    /** Room for any packet: largest payload, headers and ICRC. */
    private static final int MAX_PACKET_BYTES = 4096 + 128;

    private static final int MAX_BATCH_BYTES = 64_000;

    /** Headers of IPv4 and UDP, which the network writes. */
    private static final int IP_UDP_BYTES = 28;

    private final PacketPort port;
    private final Port place;
    private final CapturePoint capture;
    private final MemorySegment memory;
    private final Icrc icrc;
    private final int mostInFlight;
    private long at;
    private boolean isOpen;
    private long batch;
    private int segmentBytes;
    private int segments;
    private int destinationAddress;
    private int trafficClass;
    private boolean isFull;
    private long writtenBytes;

    /** Number of the port, from 1, and its address. */
    record Port(int number, int address) {}

    PacketWriter(PacketPort port, Port place, CapturePoint capture) {
        this.port = port;
        this.place = place;
        this.capture = capture;
        this.memory = port.departing();
        this.icrc = new Icrc(memory);
        this.mostInFlight = port.mostInFlight();
    }

    /** Where packets are written. */
    MemorySegment memory() {
        return memory;
    }

    /** Whether so many more packets can be written now. */
    boolean hasRoom(int packets) {
        return !isFull && memory.byteSize() - at >= (long) packets * MAX_PACKET_BYTES;
    }

    /** Packets of sends and writes of one queue pair on the way. */
    int mostInFlight() {
        return mostInFlight;
    }

    /** Offset of the next packet; there is room for one. */
    long begin() {
        return at;
    }

    /** Ends the packet of so many bytes without its ICRC, which begins where {@link #begin} said. */
    void end(int lengthBytes, int destination, int tos) {
        int whole = lengthBytes + Icrc.SIZE_BYTES;
        if (isOpen && !fits(whole, destination, tos)) {
            close();
        }
        if (!isOpen) {
            isOpen = true;
            batch = at;
            segmentBytes = whole;
            segments = 0;
            destinationAddress = destination;
            trafficClass = tos;
        }
        // The network numbers what it cuts (IPv4 identification), and the ICRC covers that number.
        icrc.store(at, lengthBytes, place.address(), destination, segments, PacketPort.UDP_PORT, PacketPort.UDP_PORT);
        seen(whole, destination, tos);
        at += whole;
        writtenBytes += whole + IP_UDP_BYTES;
        segments++;
        if (whole < segmentBytes || segments == port.mostSegments()) {
            close();
        }
    }

    /** Bytes of all packets written so far, headers of IPv4 and UDP included. */
    long writtenBytes() {
        return writtenBytes;
    }

    private void seen(int whole, int destination, int tos) {
        CapturedPacket packet = capture.begin(place.number(), PacketFate.SENT);
        if (packet != null) {
            packet.at(memory, at, whole).between(place.address(), PacketPort.UDP_PORT, destination);
            packet.identification = segments;
            packet.trafficClass = tos;
            capture.take(packet);
        }
    }

    private boolean fits(int whole, int destination, int tos) {
        return destination == destinationAddress
                && tos == trafficClass
                && whole <= segmentBytes
                && at + whole - batch <= MAX_BATCH_BYTES;
    }

    private void close() {
        isOpen = false;
        isFull |= !port.add(batch, (int) (at - batch), segmentBytes, destinationAddress, trafficClass);
    }

    /** Whether some of what was written has not gone. */
    boolean isSending() {
        return at != 0;
    }

    /** Sends what was written, as far as the network takes it. @return whether something went */
    boolean flush() {
        if (at == 0) {
            return false;
        }
        if (isOpen) {
            close();
        }
        long written = at;
        at = port.send();
        isFull = at != 0;
        return at < written;
    }
}
