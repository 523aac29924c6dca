package io.hyperverbs.frontend.ip;

import io.hyperverbs.verbs.ip.IpInterface;
import io.hyperverbs.vmm.domain.GuestAddress;
import io.hyperverbs.vmm.hypercall.HypercallClient;
import io.hyperverbs.vmm.posix.PacketFile;
import io.hyperverbs.vmm.posix.PosixException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The guest's end of its interface, which the VMM made. */
public final class GuestInterface implements IpInterface {
    private final GuestAddress address;
    private final int mtuBytes;
    private final PacketFile packets;
    private final InterfaceLists lists = new InterfaceLists(Path.of("/proc/self/net"), GuestAddress.INTERFACE);

    private GuestInterface(GuestAddress address, int mtuBytes, PacketFile packets) {
        this.address = address;
        this.mtuBytes = mtuBytes;
        this.packets = packets;
    }

    /** That of this guest, if its topology gives it an address. */
    public static Optional<IpInterface> of(HypercallClient machine) throws PosixException {
        Optional<GuestAddress> address = GuestAddress.of(machine.boot().settings());
        Optional<HypercallClient.NetworkInterface> network = machine.networkInterface();
        if (address.isEmpty() || network.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new GuestInterface(
                address.get(),
                network.get().mtuBytes(),
                new PacketFile(network.get().descriptor())));
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
    public int mtuBytes() {
        return mtuBytes;
    }

    @Override
    public int take(MemorySegment room) throws IOException {
        return packets.read(room);
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
    public List<byte[]> ipv6Addresses() throws IOException {
        return lists.ipv6Addresses();
    }

    @Override
    public List<byte[]> groups() throws IOException {
        return lists.groups();
    }
}
