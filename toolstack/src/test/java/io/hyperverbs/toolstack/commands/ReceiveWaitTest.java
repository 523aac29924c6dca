package io.hyperverbs.toolstack.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.launcher.context.HcaView;
import io.hyperverbs.launcher.output.Json;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.DomainState;
import io.hyperverbs.vmm.domain.StartTimes;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ReceiveWaitTest {
    private static final long NOW = 10_000_000_000L;
    private static final DomainReport B = new DomainReport(
            "b", 3, DomainKind.GUEST, DomainState.RUNNING, 1, 1, 1, 0, "", "", "1", "", "", "hv0", StartTimes.NONE);

    private static HcaView.Qp qp(int qpn, int domain, int peer, long naks) {
        return new HcaView.Qp(qpn, domain, "RTS", peer, 1, 1, 1, 0, 0, 0, 0, 0, naks, NOW - 8_140_000_000L);
    }

    private static ObjectNode of(HcaView.Qp qp, List<DomainReport> domains) {
        ObjectNode node = Json.object();
        new ReceiveWait(List.of(qp, qp(0x12ab, 3, 0x77, 0)), domains, NOW).addTo(node, qp);
        return node;
    }

    @Test
    void namesThePeerAndTheTime() {
        ObjectNode node = of(qp(0x77, 2, 0x12ab, 9187), List.of(B));

        assertThat(ReceiveWait.words(node.get(ReceiveWait.KEY)))
                .isEqualTo("8.1 s for a receive at b qp 0x0012ab (RNR 9187)");
        assertThat(node.get(ReceiveWait.KEY).get("millis").asLong()).isEqualTo(8140);
    }

    @Test
    void aPeerThatIsGoneHasNoName() {
        ObjectNode node = of(qp(0x77, 2, 0x12ab, 1), List.of());

        assertThat(ReceiveWait.words(node.get(ReceiveWait.KEY)))
                .isEqualTo("8.1 s for a receive at qp 0x0012ab (RNR 1)");
    }

    @Test
    void mostWaitForNothing() {
        assertThat(of(qp(0x77, 2, 0x12ab, 0), List.of(B)).get(ReceiveWait.KEY).isNull())
                .isTrue();
    }
}
