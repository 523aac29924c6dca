package io.hyperverbs.toolstack.devinfo;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.verbs.DeviceVerbs;
import io.hyperverbs.backend.verbs.PortVerbs;
import io.hyperverbs.hca.HcaCommands.PortReport;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.verbs.PortState;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class DeviceSheetTest {
    private static final PortSettings PORTS = new PortSettings(1, 7, 2048, List.of(0xffff, 0x8001));

    private static DeviceSheet sheet(boolean verbose, PortState state) {
        PortReport report = new PortReport(VerbsStatus.SUCCESS, state, 5, 0);
        PortSheet port = PortSheet.of(1, PortVerbs.attributes(PORTS, 1, report), List.of(PORTS.gid(1)), verbose);
        return new DeviceSheet(
                "hv0", DeviceVerbs.attributes(HcaLimits.standard(), PORTS, kind -> 10), List.of(port), verbose);
    }

    @Test
    void shortFormHasTheLinesOfIbvDevinfo() {
        assertThat(sheet(false, PortState.DOWN).text()).isEqualTo("""
            hca_id:\thv0
            \ttransport:\t\t\tInfiniBand (0)
            \tfw_ver:\t\t\t\t0.1.0
            \tnode_guid:\t\t\t0248:5600:0000:0700
            \tsys_image_guid:\t\t\t0248:5600:0000:0700
            \tvendor_id:\t\t\t0x24856
            \tvendor_part_id:\t\t\t1
            \thw_ver:\t\t\t\t0x1
            \tboard_id:\t\t\tHV_SOFTWARE_HCA
            \tphys_port_cnt:\t\t\t1
            \t\tport:\t1
            \t\t\tstate:\t\t\tPORT_DOWN (1)
            \t\t\tmax_mtu:\t\t4096 (5)
            \t\t\tactive_mtu:\t\t2048 (4)
            \t\t\tsm_lid:\t\t\t0
            \t\t\tport_lid:\t\t7
            \t\t\tport_lmc:\t\t0x00
            \t\t\tlink_layer:\t\tInfiniBand

            """);
    }

    @Test
    void longFormSaysWhatTheQuotaLeaves() {
        assertThat(sheet(true, PortState.ACTIVE).text())
                .contains(
                        "\tmax_qp:\t\t\t\t10\n",
                        "\tmax_mr_size:\t\t\t0xa\n",
                        "\tmax_total_mcast_qp_attach:\t",
                        "\tdevice_cap_flags:\t\t0x",
                        "\t\t\t\t\tBAD_PKEY_CNTR\n",
                        "\tatomic_cap:\t\t\tATOMIC_HCA (1)\n",
                        "\t\t\tport_cap_flags2:\t0x0000\n",
                        "\t\t\tbad_pkey_cntr:\t\t0x5\n",
                        "\t\t\tactive_width:\t\t4X (2)\n",
                        "\t\t\tphys_state:\t\tLINK_UP (5)\n",
                        "\t\t\tGID[  0]:\t\tfe80:0000:0000:0000:0248:5600:0000:0701\n");
    }

    @Test
    void jsonHasTheSameNames() {
        JsonNode json = sheet(true, PortState.ACTIVE).json();

        assertThat(json.get("hca_id").asString()).isEqualTo("hv0");
        assertThat(json.get("max_qp").asInt()).isEqualTo(10);
        JsonNode port = json.get("ports").get(0);
        assertThat(port.get("port").asInt()).isEqualTo(1);
        assertThat(port.get("state").asString()).isEqualTo("PORT_ACTIVE");
        assertThat(port.get("active_mtu").asInt()).isEqualTo(2048);
        assertThat(port.get("bad_pkey_cntr").asInt()).isEqualTo(5);
    }
}
