package io.hyperverbs.frontend.ip;

import io.hyperverbs.verbs.ip.IpInterface;
import io.hyperverbs.verbs.ip.PacketOffload;
import io.hyperverbs.verbs.ip.PacketPieces;
import io.hyperverbs.vmm.domain.GuestAddress;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.hypercall.Hypercalls;
import io.hyperverbs.vmm.hypercall.NetworkDevice;
import io.hyperverbs.vmm.posix.PacketFile;
import io.hyperverbs.vmm.posix.PacketVector;
import io.hyperverbs.vmm.posix.PosixException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** A domain's end of its interface, which the VMM made. */
final class GuestInterface implements IpInterface, AutoCloseable {
    private final GuestAddress address;
    private final int mtuBytes;
    private final PacketFile packets;
    private final InterfaceLists lists;
    private final PacketVector taken = new PacketVector(1);
    private final PacketVector given = new PacketVector(PacketPieces.MOST);
    private final PacketOffload nothing = new PacketOffload();
    private final Lock giving = new ReentrantLock();

    private GuestInterface(GuestAddress address, NetworkDevice device) throws PosixException {
        this.address = address;
        this.mtuBytes = device.mtuBytes();
        this.packets = new PacketFile(device.descriptor());
        this.lists = new InterfaceLists(device.lists(), GuestAddress.INTERFACE);
    }

    /** That of a domain, if its topology gives it an address; asked once. */
    static Optional<GuestInterface> of(Hypercalls machine) throws PosixException, HypercallException {
        Optional<GuestAddress> address = GuestAddress.of(machine.boot().settings());
        Optional<NetworkDevice> device = address.isEmpty() ? Optional.empty() : machine.takeNetwork();
        return device.isEmpty() ? Optional.empty() : Optional.of(new GuestInterface(address.get(), device.get()));
    }

    @Override
    public int address() {
        return address.address();
    }

    @Override
    public int prefixLength() {
        return address.prefixLength();
    }

    @Override
    public int pkey() {
        return address.pkey();
    }

    @Override
    public int mtuBytes() {
        return mtuBytes;
    }

    @Override
    public boolean leavesSegments() {
        return !address.connected();
    }

    @Override
    public int take(MemorySegment room, PacketOffload left) throws IOException {
        int bytes = packets.read(taken.clear().add(room, 0, room.byteSize()));
        if (bytes > 0) {
            OffloadHeader.read(taken.header(), left);
        }
        return bytes;
    }

    @Override
    public void await(Duration timeout) throws IOException {
        packets.await(timeout.toNanos());
    }

    @Override
    public boolean give(MemorySegment packet) throws IOException {
        giving.lock();
        try {
            OffloadHeader.write(given.header(), nothing, 0);
            return packets.write(given.clear().add(packet, 0, packet.byteSize()));
        } finally {
            giving.unlock();
        }
    }

    @Override
    public boolean give(PacketPieces packet, PacketOffload left) throws IOException {
        giving.lock();
        try {
            PacketVector _ = given.clear();
            for (int i = 0; i < packet.count(); i++) {
                PacketVector _ = given.add(packet.memory(), packet.offset(i), packet.lengthBytes(i));
            }
            int first = packet.memory().get(ValueLayout.JAVA_BYTE, packet.offset(0));
            OffloadHeader.write(given.header(), left, first >> 4);
            return packets.write(given);
        } finally {
            giving.unlock();
        }
    }

    @Override
    public List<byte[]> ipv6Addresses() throws IOException {
        return lists.ipv6Addresses();
    }

    @Override
    public List<byte[]> groups() throws IOException {
        return lists.groups();
    }

    /** Nobody may take or give any more. */
    @Override
    public void close() {
        packets.close();
    }
}
