package io.hyperverbs.backend;

import io.hyperverbs.hca.port.Ipv4;
import io.hyperverbs.hca.port.WireAddresses;
import io.hyperverbs.hca.roce.Network;
import io.hyperverbs.hca.roce.PacketPort;
import io.hyperverbs.vmm.posix.PosixException;
import io.hyperverbs.vmm.posix.UdpPort;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ports of the HCA on UDP port 4791 of their addresses; none of an HCA without a wire. What arrives
 * there ends the engine's sleep. Opened and closed while no engine runs.
 */
final class UdpPorts implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UdpPorts.class);

    private final WireAddresses addresses;
    private final DoorbellEpoll sleep;
    private final List<UdpPort> ports = new ArrayList<>();

    private UdpPorts(WireAddresses addresses, DoorbellEpoll sleep) {
        this.addresses = addresses;
        this.sleep = sleep;
    }

    /**
     * Opens a port at each of the HCA's own addresses.
     *
     * @throws PosixException EADDRINUSE: another process has one of them; EADDRNOTAVAIL: this computer does not
     */
    static UdpPorts open(WireAddresses addresses, DoorbellEpoll sleep) throws PosixException {
        UdpPorts all = new UdpPorts(addresses, sleep);
        try {
            for (int address : addresses.own()) {
                UdpPort port = UdpPort.open(address, PacketPort.UDP_PORT, UdpPort.Settings.standard());
                all.ports.add(port);
                sleep.watch(port.fd().number());
                LOG.info(
                        "port {} is at {}, UDP {}{}",
                        all.ports.size(),
                        Ipv4.text(address),
                        PacketPort.UDP_PORT,
                        port.hasSegmentation() ? ", cut by the kernel" : "");
            }
            return all;
        } catch (PosixException | RuntimeException | Error e) {
            all.close();
            throw e;
        }
    }

    /** What the HCA is made with. */
    Network network() {
        return new Network(
                addresses, ports.stream().<PacketPort>map(UdpPacketPort::new).toList());
    }

    @Override
    public void close() {
        for (UdpPort port : ports) {
            try {
                sleep.unwatch(port.fd().number());
            } catch (PosixException e) {
                // It was never watched; closing it is what matters.
                LOG.debug("not watched: {}", e.toString());
            }
            port.close();
        }
        ports.clear();
    }
}
