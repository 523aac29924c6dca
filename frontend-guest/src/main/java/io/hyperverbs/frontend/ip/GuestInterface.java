package io.hyperverbs.frontend.ip;

import io.hyperverbs.verbs.ip.IpInterface;
import io.hyperverbs.verbs.ip.PacketOffload;
import io.hyperverbs.verbs.ip.PacketPieces;
import io.hyperverbs.vmm.domain.GuestAddress;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.hypercall.Hypercalls;
import io.hyperverbs.vmm.hypercall.NetworkDevice;
import io.hyperverbs.vmm.posix.PacketFile;
import io.hyperverbs.vmm.posix.PosixException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A domain's end of its interface, which the VMM made. */
final class GuestInterface implements IpInterface, AutoCloseable {
    private final GuestAddress address;
    private final int mtuBytes;
    private final PacketFile packets;
    private final InterfaceLists lists;

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
        return packets.read(room, left);
    }

    @Override
    public void await(Duration timeout) throws IOException {
        packets.await(timeout.toNanos());
    }

    @Override
    public boolean give(MemorySegment packet) throws IOException {
        return packets.write(packet);
    }

    @Override
    public boolean give(PacketPieces packet, PacketOffload left) throws IOException {
        return packets.write(packet, left);
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
