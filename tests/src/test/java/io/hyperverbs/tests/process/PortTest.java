package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.tests.programs.PortPeer;
import io.hyperverbs.tests.programs.PortUser;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A port that {@code hv port} takes down and up while domains use it. */
@RunsWhenChanged
class PortTest extends MachineTest {
    @ParameterizedTest
    @ValueSource(strings = {"bypass", "forwarded"})
    void portThatIsDownIsSilenceAndEachContextHearsOfIt(String path) throws Exception {
        String peer = "port-peer-" + path;
        String user = "port-user-" + path;
        HvProcess hv = new HvProcess(machine());
        machine()
                .add(
                        path,
                        Map.of(
                                peer,
                                TestMachine.program(PortPeer.class, user),
                                user,
                                TestMachine.program(PortUser.class, peer)));
        machine().awaitKey("domain/" + user + "/ready");

        hv.run("port", "1", "down").expect(0);
        machine().awaitKey("domain/" + user + "/down");
        machine().awaitKey("domain/" + peer + "/down");
        hv.run("port", "1", "up").expect(0);

        assertThat(machine().output(user))
                .containsExactly(
                        "PORT_ERR 1 DOWN", "102 RETRY_EXC_ERR", "PORT_ACTIVE 1 ACTIVE", "101 SUCCESS", "RTS ERR");
        assertThat(machine().output(peer))
                .containsExactly(
                        "PORT_ERR 1 DOWN, PORT_ERR 1 DOWN",
                        "PORT_ACTIVE 1 ACTIVE, PORT_ACTIVE 1 ACTIVE",
                        "after it is up, written: by 101, from datagrams");
    }

    @InEachBuild
    @Test
    void oneHcaHasNoLinks() throws Exception {
        HvProcess hv = new HvProcess(machine());

        assertThat(hv.run("link").expect(4).err().lines()).hasSize(1).allMatch(line -> line.contains("has no links"));
        assertThat(hv.run("link", "hv0-hv1", "down").expect(4).err()).contains("has no links");
    }
}
