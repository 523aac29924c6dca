package io.hyperverbs.toolstack.devinfo;

import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PortAttributes;
import io.hyperverbs.verbs.PortLink;
import java.util.List;

/** One port as {@code ibv_devinfo} shows it. */
public record PortSheet(int number, Sheet sheet) {
    private static final int[] WIDTH_CODES = {1, 2, 4, 8, 16};
    private static final String[] WIDTHS = {"1", "4", "8", "12", "2"};
    private static final int[] SPEED_CODES = {1, 2, 4, 8, 16, 32, 64};
    private static final String[] SPEEDS = {
        "2.5 Gbps", "5.0 Gbps", "10.0 Gbps", "10.0 Gbps", "14.0 Gbps", "25.0 Gbps", "50.0 Gbps"
    };
    private static final int[] LANE_CODES = {1, 2, 3, 4, 5};
    private static final String[] LANES = {"1", "2", "4", "8", "15"};
    private static final int[] PHYSICAL_CODES = {1, 2, 3, 4, 5, 6, 7};
    private static final String[] PHYSICAL = {
        "SLEEP", "POLLING", "DISABLED", "PORT_CONFIGURATION TRAINNING", "LINK_UP", "LINK_ERROR_RECOVERY", "PHY TEST"
    };

    /**
     * @param gids its GID table
     * @param verbose all there is
     */
    public static PortSheet of(int number, PortAttributes port, List<Gid> gids, boolean verbose) {
        PortLink link = port.link();
        Sheet sheet = new Sheet(24, 48);
        sheet.add("state", "PORT_%s (%d)".formatted(port.state(), port.state().code()), "PORT_" + port.state())
                .add("max_mtu", mtu(port.maxMtuBytes()), port.maxMtuBytes())
                .add("active_mtu", mtu(port.activeMtuBytes()), port.activeMtuBytes())
                .add("sm_lid", link.smLid())
                .add("port_lid", port.lid())
                .add("port_lmc", "0x%02x".formatted(link.lmc()))
                .add("link_layer", "InfiniBand");
        if (verbose) {
            sheet.add("max_msg_sz", "0x%x".formatted(port.maxMessageBytes()), port.maxMessageBytes())
                    .add("port_cap_flags", "0x%08x".formatted(link.capabilityFlags()))
                    .add("port_cap_flags2", "0x0000")
                    .add("max_vl_num", coded(LANE_CODES, LANES, link.maxVl()), link.maxVl())
                    .add("bad_pkey_cntr", "0x%x".formatted(port.badPkeys()), port.badPkeys())
                    .add("qkey_viol_cntr", "0x%x".formatted(port.qkeyViolations()), port.qkeyViolations())
                    .add("sm_sl", link.smSl())
                    .add("pkey_tbl_len", port.pkeyTableLength())
                    .add("gid_tbl_len", port.gidTableLength())
                    .add("subnet_timeout", link.subnetTimeout())
                    .add("init_type_reply", 0)
                    .add(
                            "active_width",
                            "%sX (%d)".formatted(name(WIDTH_CODES, WIDTHS, link.activeWidth()), link.activeWidth()),
                            link.activeWidth())
                    .add("active_speed", coded(SPEED_CODES, SPEEDS, link.activeSpeed()), link.activeSpeed())
                    .add("phys_state", coded(PHYSICAL_CODES, PHYSICAL, link.physicalState()), physicalState(link));
            for (int index = 0; index < gids.size(); index++) {
                sheet.add("GID[%3d]".formatted(index), gids.get(index).toString(), gids.get(index));
            }
        }
        return new PortSheet(number, sheet);
    }

    /** The physical state in words. */
    public static String physicalState(PortLink link) {
        return name(PHYSICAL_CODES, PHYSICAL, link.physicalState());
    }

    /** {@code 2048 (4)}: bytes, and the code on the wire. */
    private static String mtu(int bytes) {
        return bytes + " (" + (Integer.numberOfTrailingZeros(bytes) - 7) + ")";
    }

    private static String coded(int[] codes, String[] names, int code) {
        return name(codes, names, code) + " (" + code + ")";
    }

    private static String name(int[] codes, String[] names, int code) {
        for (int i = 0; i < codes.length; i++) {
            if (codes[i] == code) {
                return names[i];
            }
        }
        return "invalid value";
    }
}
