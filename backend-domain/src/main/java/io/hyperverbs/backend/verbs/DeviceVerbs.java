package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.hca.ud.MulticastTable;
import io.hyperverbs.verbs.AtomicCap;
import io.hyperverbs.verbs.DeviceAttributes;
import io.hyperverbs.verbs.DeviceCapabilities;
import io.hyperverbs.verbs.DeviceCapability;
import io.hyperverbs.verbs.DeviceIdentity;
import io.hyperverbs.verbs.ObjectLimits;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest.QueryDevice;
import io.hyperverbs.vmm.io.FrameRun;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.ToLongFunction;

/** What the device says of itself; its limits are never more than the session's quota. */
public final class DeviceVerbs {
    private static final String FIRMWARE = "0.1.0";
    private static final String BOARD = "HV_SOFTWARE_HCA";
    // No company has this id; those of real vendors would be a lie.
    private static final int VENDOR_ID = 0x024856;
    private static final int PART_ID = 1;
    private static final int HARDWARE_VERSION = 1;
    private static final Set<DeviceCapability> CAPABILITIES = EnumSet.of(
            DeviceCapability.BAD_PKEY_CNTR,
            DeviceCapability.BAD_QKEY_CNTR,
            DeviceCapability.CHANGE_PHY_PORT,
            DeviceCapability.UD_AV_PORT_ENFORCE,
            DeviceCapability.CURR_QP_STATE_MOD,
            DeviceCapability.SHUTDOWN_PORT,
            DeviceCapability.PORT_ACTIVE_EVENT,
            DeviceCapability.SYS_IMAGE_GUID,
            DeviceCapability.RC_RNR_NAK_GEN,
            DeviceCapability.XRC,
            DeviceCapability.SRQ_RESIZE,
            DeviceCapability.MEM_WINDOW,
            DeviceCapability.MEM_WINDOW_TYPE_2B);

    private final DeviceServices services;

    DeviceVerbs(DeviceServices services) {
        this.services = services;
    }

    Verb query(Session session, QueryDevice request) throws Refusal {
        var _ = Statuses.parameter(session.contexts().get(request.context()), "context");
        return _ -> new ControlReply.DeviceQueried(
                attributes(services.limits(), services.ports().with(session.pkeys()), session.quota()::max));
    }

    /**
     * What an HCA of these limits and ports says to a domain of these quotas.
     *
     * @param quota the most the domain may have of a kind
     */
    public static DeviceAttributes attributes(HcaLimits limits, PortSettings ports, ToLongFunction<QuotaKind> quota) {
        return new DeviceAttributes(
                FIRMWARE,
                ports.nodeGuid(),
                smaller(limits.maxQp(), quota.applyAsLong(QuotaKind.QP)),
                QueueGeometry.MAX_ENTRIES,
                QueueGeometry.MAX_SGE,
                QueueGeometry.MAX_INLINE_BYTES,
                smaller(limits.maxCq(), quota.applyAsLong(QuotaKind.CQ)),
                smaller(limits.maxCqe(), quota.applyAsLong(QuotaKind.CQE)),
                smaller(limits.maxRegions(), quota.applyAsLong(QuotaKind.MR)),
                quota.applyAsLong(QuotaKind.REGISTERED),
                smaller(limits.maxPd(), quota.applyAsLong(QuotaKind.PD)),
                HcaLimits.MAX_READ_ATOMIC,
                HcaLimits.MAX_MESSAGE_BYTES,
                FrameRun.FRAME_BYTES,
                ports.count(),
                new DeviceIdentity(ports.nodeGuid(), VENDOR_ID, PART_ID, HARDWARE_VERSION, BOARD),
                objects(limits, quota),
                capabilities(limits, ports));
    }

    private static ObjectLimits objects(HcaLimits limits, ToLongFunction<QuotaKind> quota) {
        return new ObjectLimits(
                smaller(limits.maxSrq(), quota.applyAsLong(QuotaKind.SRQ)),
                QueueGeometry.MAX_ENTRIES,
                QueueGeometry.MAX_SGE,
                smaller(limits.maxWindows(), quota.applyAsLong(QuotaKind.MW)),
                smaller(limits.maxAh(), quota.applyAsLong(QuotaKind.AH)),
                smaller(limits.maxMulticast(), quota.applyAsLong(QuotaKind.MCAST)),
                MulticastTable.MAX_MEMBERS);
    }

    private static DeviceCapabilities capabilities(HcaLimits limits, PortSettings ports) {
        return new DeviceCapabilities(
                CAPABILITIES,
                AtomicCap.HCA,
                FrameRun.FRAME_BYTES,
                ports.pkeys().size(),
                limits.maxQp() * HcaLimits.MAX_READ_ATOMIC,
                // An acknowledgement is a return value: no time at all.
                0,
                1);
    }

    private static int smaller(int device, long quota) {
        return (int) Math.min(device, quota);
    }
}
