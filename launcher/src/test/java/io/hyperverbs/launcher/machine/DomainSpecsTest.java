package io.hyperverbs.launcher.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.launcher.topology.TopologyLoader;
import org.junit.jupiter.api.Test;

class DomainSpecsTest {
    @Test
    void bothEndsOfALinkGetItsSettings() throws HvException {
        Topology read = TopologyLoader.parse("t.hv.yaml", """
            apiVersion: hv/v1
            name: t
            hcas: { a: { address: 127.1.0.1, ports: 1 }, b: { address: 127.1.0.2, ports: 1 }, c: { ports: 1 } }
            links: { b-a: { loss: 0.1%, delay: 10us }, b-c: {} }
            guests: 1
            """, PortAddressesTest.NONE);

        Topology topology = PortAddresses.choose(read, address -> true);

        assertThat(DomainSpecs.wires(topology, topology.hcas().get(0)))
                .containsOnlyKeys("wire.b.link", "wire.b.ports", "wire.b.settings")
                .containsEntry("wire.b.ports", "3=127.1.0.2")
                .containsEntry("wire.b.settings", "loss=0.1% delay=10us");
        assertThat(DomainSpecs.wires(topology, topology.hcas().get(1)))
                .containsOnlyKeys("wire.a.link", "wire.a.ports", "wire.a.settings", "wire.c.link", "wire.c.ports")
                .containsEntry("wire.a.settings", "loss=0.1% delay=10us");
    }
}
