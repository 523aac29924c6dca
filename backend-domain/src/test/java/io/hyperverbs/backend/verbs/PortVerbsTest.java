package io.hyperverbs.backend.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.testing.SessionFixture;
import io.hyperverbs.hca.HcaCommands.PortReport;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PortAttributes;
import io.hyperverbs.verbs.PortState;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PortVerbsTest extends SessionFixture {
    private static final PortSettings PORTS = PortSettings.standard(1, 2048);

    private long context;

    @BeforeEach
    void setUp() {
        context = bench.context(session, DataPathKind.FORWARDED);
    }

    private PortAttributes port(int port) {
        return bench.done(session, new ControlRequest.QueryPort(context, port), ControlReply.PortQueried.class)
                .attributes();
    }

    private Gid gid(int port) {
        return bench.done(session, new ControlRequest.QueryGid(context, port, 0), ControlReply.GidQueried.class)
                .gid();
    }

    private String refused(ControlRequest request) {
        ControlReply.Refused refused = bench.refused(session, request);
        assertThat(refused.status()).isEqualTo(VerbsStatus.EINVAL);
        return refused.message();
    }

    @Test
    void portSaysWhatTheHcaAndItsTablesSay() {
        bench.hca.answerPort(new PortReport(VerbsStatus.SUCCESS, PortState.ACTIVE, 3, 4));

        PortAttributes second = port(2);

        assertThat(second.state()).isEqualTo(PortState.ACTIVE);
        assertThat(second.lid()).isEqualTo(2);
        assertThat(second.activeMtuBytes()).isEqualTo(2048);
        assertThat(second.maxMtuBytes()).isEqualTo(4096);
        assertThat(new Gid(second.gidPrefix(), second.gidInterface())).isEqualTo(gid(2));
        assertThat(second.pkey()).isEqualTo(0xffff);
        assertThat(second.pkeyTableLength()).isEqualTo(3);
        assertThat(second.gidTableLength()).isEqualTo(1);
        assertThat(second.maxMessageBytes()).isEqualTo(HcaLimits.MAX_MESSAGE_BYTES);
        assertThat(second.badPkeys()).isEqualTo(3);
        assertThat(second.qkeyViolations()).isEqualTo(4);
        assertThat(second.link().physicalState()).isEqualTo(5);
    }

    @Test
    void aDomainSeesTheKeysThatItMayUse() {
        Session member = bench.session(2, Map.of("pkeys", "0x8001,0x0001"));
        long own = bench.context(member, DataPathKind.FORWARDED);

        PortAttributes port = bench.done(member, new ControlRequest.QueryPort(own, 1), ControlReply.PortQueried.class)
                .attributes();
        assertThat(port.pkey()).isEqualTo(0x8001);
        assertThat(port.pkeyTableLength()).isEqualTo(2);
        ControlRequest last = new ControlRequest.QueryPkey(own, 1, 1);
        assertThat(bench.done(member, last, ControlReply.PkeyQueried.class).pkey())
                .isEqualTo(1);
        assertThat(bench.refused(member, new ControlRequest.QueryPkey(own, 1, 2))
                        .status())
                .isEqualTo(VerbsStatus.EINVAL);
        assertThat(bench.done(member, new ControlRequest.QueryDevice(own), ControlReply.DeviceQueried.class)
                        .attributes()
                        .capabilities()
                        .maxPkeys())
                .isEqualTo(2);
    }

    @Test
    void aPortWithAnAddressHasTwoGids() {
        PortSettings wired = new PortSettings(2, 1, 2048, List.of(0xffff), List.of(1, 2));

        assertThat(PortVerbs.attributes(wired, 2, new PortReport(VerbsStatus.SUCCESS, PortState.ACTIVE, 0, 0))
                        .gidTableLength())
                .isEqualTo(2);
    }

    @Test
    void portThatIsDownHasNoLink() {
        bench.hca.answerPort(new PortReport(VerbsStatus.SUCCESS, PortState.DOWN, 0, 0));

        assertThat(port(1).state()).isEqualTo(PortState.DOWN);
        assertThat(port(1).link().physicalState()).isEqualTo(3);
    }

    @Test
    void silenceOfTheHcaIsARefusal() {
        bench.hca.answerPort(new PortReport(VerbsStatus.ETIMEDOUT, PortState.DOWN, 0, 0));

        assertThat(bench.refused(session, new ControlRequest.QueryPort(context, 1))
                        .status())
                .isEqualTo(VerbsStatus.ETIMEDOUT);
    }

    @Test
    void givesEachPkeyOfTheTable() {
        for (int port = 1; port <= 2; port++) {
            for (int i = 0; i < PORTS.pkeys().size(); i++) {
                assertThat(bench.done(
                                        session,
                                        new ControlRequest.QueryPkey(context, port, i),
                                        ControlReply.PkeyQueried.class)
                                .pkey())
                        .isEqualTo(PORTS.pkeys().get(i));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void refusesPortsThereAreNot(int port) {
        for (ControlRequest request : List.of(
                new ControlRequest.QueryPort(context, port),
                new ControlRequest.QueryGid(context, port, 0),
                new ControlRequest.QueryPkey(context, port, 0))) {
            assertThat(refused(request)).isEqualTo("port " + port + ", the HCA has ports 1 to 2");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void refusesIndexesBehindTheTables(int index) {
        assertThat(refused(new ControlRequest.QueryPkey(context, 1, index)))
                .isEqualTo("P_Key index " + index + ", must be below 3");
        assertThat(refused(new ControlRequest.QueryGid(context, 1, index)))
                .isEqualTo("GID index " + index + ", must be below 1");
    }

    @Test
    void anotherDomainsContextIsNone() {
        long foreign = bench.context(bench.session(2, Map.of()), DataPathKind.FORWARDED);

        for (ControlRequest request : List.of(
                new ControlRequest.QueryPort(foreign, 1),
                new ControlRequest.QueryGid(foreign, 1, 0),
                new ControlRequest.QueryPkey(foreign, 1, 0))) {
            assertThat(refused(request)).isEqualTo("no such context");
        }
    }
}
