package io.hyperverbs.verbs;

import java.util.EnumSet;
import java.util.Set;

/** One capability of an HCA ({@code ibv_device_cap_flags}), with its bit. */
public enum DeviceCapability {
    RESIZE_MAX_WR(0),
    BAD_PKEY_CNTR(1),
    BAD_QKEY_CNTR(2),
    RAW_MULTI(3),
    AUTO_PATH_MIG(4),
    CHANGE_PHY_PORT(5),
    UD_AV_PORT_ENFORCE(6),
    CURR_QP_STATE_MOD(7),
    SHUTDOWN_PORT(8),
    INIT_TYPE(9),
    PORT_ACTIVE_EVENT(10),
    SYS_IMAGE_GUID(11),
    RC_RNR_NAK_GEN(12),
    SRQ_RESIZE(13),
    N_NOTIFY_CQ(14),
    MEM_WINDOW(17),
    UD_IP_CSUM(18),
    XRC(20),
    MEM_MGT_EXTENSIONS(21),
    MEM_WINDOW_TYPE_2A(23),
    MEM_WINDOW_TYPE_2B(24);

    private final int bitNumber;

    DeviceCapability(int bitNumber) {
        this.bitNumber = bitNumber;
    }

    /** The capability's bit in {@code device_cap_flags}. */
    public int bit() {
        return 1 << bitNumber;
    }

    /** All bits of {@code capabilities}. */
    public static int mask(Set<DeviceCapability> capabilities) {
        int mask = 0;
        for (DeviceCapability capability : capabilities) {
            mask |= capability.bit();
        }
        return mask;
    }

    /** The capabilities in {@code mask}; bits of others are left out. */
    public static Set<DeviceCapability> of(int mask) {
        Set<DeviceCapability> found = EnumSet.noneOf(DeviceCapability.class);
        for (DeviceCapability capability : values()) {
            if ((mask & capability.bit()) != 0) {
                found.add(capability);
            }
        }
        return found;
    }
}
