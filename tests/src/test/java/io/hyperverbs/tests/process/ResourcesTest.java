package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.launcher.context.HcaView;
import io.hyperverbs.launcher.context.Inventory;
import io.hyperverbs.launcher.context.Resource;
import io.hyperverbs.launcher.context.Resources;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.output.Listing;
import io.hyperverbs.tests.machine.TestMachine;
import io.hyperverbs.tests.programs.OneOfEach;
import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.hypercall.SessionReport.QuotaUse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the operator sees of a program's objects. */
@RunsWhenChanged
class ResourcesTest {
    private static Inventory inventory(MachineClient client) throws Exception {
        return new Inventory(HcaView.read(client), "hv0", client.status().domains(), client::describeSession);
    }

    private static String lines(Inventory seen, String word) throws Exception {
        Listing listing = Resources.find(word).list(seen);
        return listing.render(Format.TABLE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "bypass", "forwarded"})
    void showsAnObjectOfEachKind(String path) throws Exception {
        try (TestMachine machine = new TestMachine(List.of(), Map.of())) {
            machine.add(TestMachine.guest("a", path), TestMachine.program(OneOfEach.class));
            machine.awaitKey("domain/a/up");

            Inventory seen = inventory(machine.client());

            // A native domain has no process of its own.
            String owner = (path.equals("native") ? "" : "pid \\d+ ") + "comm a\n";
            assertThat(lines(seen, "cm_id"))
                    .matches("link hv0/- cm-idn \\d+ state LISTEN cm-state LISTEN ps IB"
                            + " src-addr fe80:[0-9a-f:]+ service-id 0x[0-9a-f]+ "
                            + owner);
            assertThat(lines(seen, "mw"))
                    .matches("dev hv0 mwn 1 type 2 pdn \\d+ "
                            + owner
                            + "dev hv0 mwn 2 type 1 pdn \\d+ mrn 1 mwlen 64 "
                            + owner);
            assertThat(lines(seen, "ah"))
                    .matches("link hv0/1 ahn -?\\d+ dlid 49169"
                            + " dgid ff12:401b:ffff:0000:0000:0000:0000:1111 pdn \\d+ "
                            + owner);
            assertThat(lines(seen, "xrcd")).matches("dev hv0 xrcdn \\d+ srq 1 qp 1 " + owner);
            assertThat(lines(seen, "srq"))
                    .matches("dev hv0 srqn \\d+ type XRC pdn \\d+ xrcdn \\d+ cqn \\d+ wr \\d+ limit"
                            + " 0 users 0 ctxn \\d+ "
                            + owner);
            assertThat(lines(seen, "mcg"))
                    .isEqualTo("dev hv0 mgid ff12:401b:ffff:0000:0000:0000:0000:1111 mlid 49169" + " qp 1\n");
            assertThat(lines(seen, "qp"))
                    .contains(" type RC state RTS ")
                    .contains(" type UD state RESET ")
                    .containsPattern(" type XRC_TGT state RESET .* xrcdn \\d+ ");
            assertThat(Resources.find("pd").list(seen).size()).isEqualTo(1);
            assertThat(Resources.summary(seen).render(Format.TABLE))
                    .isEqualTo("dev hv0 qp 3 cm_id 1 cq 3 mr 1 mw 2 pd 1 ah 1 xrcd 1 srq 1 mcg 1" + " ctx 1\n");
            for (Resource resource : Resources.all()) {
                assertThat(resource.list(seen).render(Format.JSON))
                        .contains("hv.rdma.resource/1")
                        .contains("\"" + resource.word() + "\"");
            }
            assertThat(machine.client().describeSession("a", 0).quotas())
                    .contains(
                            new QuotaUse("cm", 2),
                            new QuotaUse("sa", 0),
                            new QuotaUse("mw", 2),
                            new QuotaUse("mcast", 1),
                            new QuotaUse("pd", 2),
                            new QuotaUse("qp", 3));
        }
    }
}
