package io.hyperverbs.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.capture.Captures;
import io.hyperverbs.hca.HcaCommands.Outcome;
import io.hyperverbs.verbs.PortState;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An HCA with two ports and links to hv0, which has one, and hv2. */
class OperatorCommandsTest {
    private static final Outcome DONE = new Outcome(VerbsStatus.SUCCESS, "");
    private static final Map<String, String> SETTINGS = Map.of(
            "hca.lid", "3",
            "hca.addresses", "127.10.0.3,127.10.0.4",
            "wire.hv0.link", "hv0-hv1",
            "wire.hv0.ports", "1=127.10.0.1",
            "wire.hv2.link", "hv1-hv2",
            "wire.hv2.ports", "5=127.10.0.5,6=127.10.0.6");

    private final WireSettings wire = WireSettings.of(SETTINGS, HcaSettings.ports(SETTINGS));
    private final WiredHca wired = new WiredHca(wire.addresses());
    private final OperatorCommands operator =
            new OperatorCommands(wired.hca(), wire, new Captures(wired.hca(), _ -> {}));

    @Test
    void aLinkIsSetOnAllItsPorts() {
        assertThat(operator.setLink("hv0", "loss=1% delay=10us")).isEqualTo(DONE);

        assertThat(wired.impaired())
                .containsExactlyInAnyOrder("1 127.10.0.1 loss=1% delay=10us", "2 127.10.0.1 loss=1% delay=10us");
    }

    @Test
    void whatIsSetReplacesWhatWasSet() {
        assertThat(operator.setLink("hv0", "loss=1% delay=10us")).isEqualTo(DONE);
        assertThat(operator.setLink("hv0", "down=true")).isEqualTo(DONE);
        assertThat(wired.impaired()).containsExactlyInAnyOrder("1 127.10.0.1 down=true", "2 127.10.0.1 down=true");

        assertThat(operator.setLink("hv0", "none")).isEqualTo(DONE);

        assertThat(wired.impaired()).containsExactlyInAnyOrder("1 127.10.0.1 none", "2 127.10.0.1 none");
    }

    @Test
    void refusesLinksAndSettingsThatAreNone() {
        assertThat(operator.setLink("hv1", "loss=1%")).isEqualTo(new Outcome(VerbsStatus.ENOENT, "no link to hv1"));
        assertThat(operator.setLink("hv2", "loss=1"))
                .isEqualTo(new Outcome(VerbsStatus.EINVAL, "loss: '1' is no number with %"));
        assertThat(wired.impaired()).isEmpty();
    }

    @Test
    void aPortGoesDownAndUp() {
        assertThat(operator.setPort(2, false)).isEqualTo(DONE);
        assertThat(wired.hca().queryPort(2).state()).isEqualTo(PortState.DOWN);
        assertThat(operator.setPort(2, true)).isEqualTo(DONE);
        assertThat(operator.setPort(3, true)).isEqualTo(new Outcome(VerbsStatus.EINVAL, "port 3"));
    }
}
