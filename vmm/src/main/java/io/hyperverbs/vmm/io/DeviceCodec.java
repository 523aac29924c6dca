package io.hyperverbs.vmm.io;

import io.hyperverbs.verbs.AtomicCap;
import io.hyperverbs.verbs.DeviceAttributes;
import io.hyperverbs.verbs.DeviceCapabilities;
import io.hyperverbs.verbs.DeviceCapability;
import io.hyperverbs.verbs.DeviceIdentity;
import io.hyperverbs.verbs.ObjectLimits;
import io.hyperverbs.vmm.io.wire.DeviceCapabilitiesMessage;
import io.hyperverbs.vmm.io.wire.DeviceIdentityMessage;
import io.hyperverbs.vmm.io.wire.DeviceQueriedMessage;
import io.hyperverbs.vmm.io.wire.ObjectLimitsMessage;

/** What a device says of itself, to and from messages. Stateless; any thread. */
final class DeviceCodec {
    private DeviceCodec() {}

    static DeviceQueriedMessage toWire(DeviceAttributes a) {
        return DeviceQueriedMessage.newBuilder()
                .setFirmwareVersion(a.firmwareVersion())
                .setNodeGuid(a.nodeGuid())
                .setMaxQp(a.maxQp())
                .setMaxQpWr(a.maxQpWr())
                .setMaxSge(a.maxSge())
                .setMaxInlineBytes(a.maxInlineBytes())
                .setMaxCq(a.maxCq())
                .setMaxCqe(a.maxCqe())
                .setMaxMr(a.maxMr())
                .setMaxRegionBytes(a.maxRegionBytes())
                .setMaxPd(a.maxPd())
                .setMaxReadAtomic(a.maxReadAtomic())
                .setMaxMessageBytes(a.maxMessageBytes())
                .setPageBytes(a.pageBytes())
                .setPortCount(a.portCount())
                .setIdentity(toWire(a.identity()))
                .setObjects(toWire(a.objects()))
                .setCapabilities(toWire(a.capabilities()))
                .build();
    }

    static DeviceAttributes fromWire(DeviceQueriedMessage m) {
        return new DeviceAttributes(
                m.getFirmwareVersion(),
                m.getNodeGuid(),
                m.getMaxQp(),
                m.getMaxQpWr(),
                m.getMaxSge(),
                m.getMaxInlineBytes(),
                m.getMaxCq(),
                m.getMaxCqe(),
                m.getMaxMr(),
                m.getMaxRegionBytes(),
                m.getMaxPd(),
                m.getMaxReadAtomic(),
                m.getMaxMessageBytes(),
                m.getPageBytes(),
                m.getPortCount(),
                fromWire(m.getIdentity()),
                fromWire(m.getObjects()),
                fromWire(m.getCapabilities()));
    }

    private static DeviceIdentityMessage toWire(DeviceIdentity identity) {
        return DeviceIdentityMessage.newBuilder()
                .setSystemImageGuid(identity.systemImageGuid())
                .setVendorId(identity.vendorId())
                .setVendorPartId(identity.vendorPartId())
                .setHardwareVersion(identity.hardwareVersion())
                .setBoardId(identity.boardId())
                .build();
    }

    private static DeviceIdentity fromWire(DeviceIdentityMessage m) {
        return new DeviceIdentity(
                m.getSystemImageGuid(), m.getVendorId(), m.getVendorPartId(), m.getHardwareVersion(), m.getBoardId());
    }

    private static ObjectLimitsMessage toWire(ObjectLimits limits) {
        return ObjectLimitsMessage.newBuilder()
                .setMaxSrq(limits.maxSrq())
                .setMaxSrqWr(limits.maxSrqWr())
                .setMaxSrqSge(limits.maxSrqSge())
                .setMaxMw(limits.maxMw())
                .setMaxAh(limits.maxAh())
                .setMaxMulticastGroups(limits.maxMulticastGroups())
                .setMaxMulticastQpAttach(limits.maxMulticastQpAttach())
                .build();
    }

    private static ObjectLimits fromWire(ObjectLimitsMessage m) {
        return new ObjectLimits(
                m.getMaxSrq(),
                m.getMaxSrqWr(),
                m.getMaxSrqSge(),
                m.getMaxMw(),
                m.getMaxAh(),
                m.getMaxMulticastGroups(),
                m.getMaxMulticastQpAttach());
    }

    private static DeviceCapabilitiesMessage toWire(DeviceCapabilities capabilities) {
        return DeviceCapabilitiesMessage.newBuilder()
                .setFlags(DeviceCapability.mask(capabilities.flags()))
                .setAtomicCap(capabilities.atomicCap().code())
                .setPageSizes(capabilities.pageSizes())
                .setMaxPkeys(capabilities.maxPkeys())
                .setMaxResponderReadAtomic(capabilities.maxResponderReadAtomic())
                .setLocalAckDelay(capabilities.localAckDelay())
                .setCompletionVectors(capabilities.completionVectors())
                .build();
    }

    private static DeviceCapabilities fromWire(DeviceCapabilitiesMessage m) {
        return new DeviceCapabilities(
                DeviceCapability.of(m.getFlags()),
                AtomicCap.of(m.getAtomicCap()),
                m.getPageSizes(),
                m.getMaxPkeys(),
                m.getMaxResponderReadAtomic(),
                m.getLocalAckDelay(),
                m.getCompletionVectors());
    }
}
