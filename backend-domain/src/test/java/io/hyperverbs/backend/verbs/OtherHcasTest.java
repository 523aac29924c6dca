package io.hyperverbs.backend.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.testing.ExecutorBench;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.vmm.hypercall.DomainPlace;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OtherHcasTest {
    @TempDir
    Path state;

    private ExecutorBench bench;

    @BeforeEach
    void setUp() {
        bench = new ExecutorBench(state);
        bench.session(1, Map.of());
        bench.machine.place("far", new DomainPlace(7, "hv1"));
        bench.machine.place("starting", new DomainPlace(8, "hv0"));
    }

    @AfterEach
    void tearDown() {
        bench.close();
    }

    private OtherHcas others(List<Integer> addresses) {
        DeviceServices usual = bench.services;
        return new OtherHcas(new DeviceServices(
                usual.hca(),
                usual.limits(),
                new PortSettings(2, 1, 2048, List.of(0xffff), addresses),
                usual.machine(),
                usual.statusPage(),
                usual.routes(),
                usual.wakeEngine(),
                usual.management()));
    }

    @Test
    void saysOnWhichHcaAGuestIs() {
        assertThatThrownBy(() -> others(List.of(1, 2)).refuse(Destination.guest("far")))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.status()).isEqualTo(VerbsStatus.ENOENT))
                .hasMessage("guest far is on HCA hv1, and there is no wire to it");
    }

    @Test
    void leavesToOthersWhomItDoesNotKnow() {
        for (String name : List.of("d1", "starting", "nobody")) {
            assertThatCode(() -> others(List.of(1, 2)).refuse(Destination.guest(name)))
                    .doesNotThrowAnyException();
        }
        assertThatCode(() -> others(List.of(1, 2)).refuse(Destination.lid(3))).doesNotThrowAnyException();
    }

    @Test
    void anHcaWithoutAWireAsksNobody() {
        assertThatCode(() -> others(List.of()).refuse(Destination.guest("far"))).doesNotThrowAnyException();
    }
}
