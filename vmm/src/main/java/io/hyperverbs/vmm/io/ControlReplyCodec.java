package io.hyperverbs.vmm.io;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.wire.AhCreatedMessage;
import io.hyperverbs.vmm.io.wire.ContextOpenedMessage;
import io.hyperverbs.vmm.io.wire.ControlReplyMessage;
import io.hyperverbs.vmm.io.wire.CqCreatedMessage;
import io.hyperverbs.vmm.io.wire.MemoryRegisteredMessage;
import io.hyperverbs.vmm.io.wire.PdAllocatedMessage;
import io.hyperverbs.vmm.io.wire.PkeyQueriedMessage;
import io.hyperverbs.vmm.io.wire.QpCreatedMessage;
import io.hyperverbs.vmm.io.wire.QpQueriedMessage;
import io.hyperverbs.vmm.io.wire.RingRegisteredMessage;
import io.hyperverbs.vmm.io.wire.WindowAllocatedMessage;

/** Replies in messages, as {@link ControlCodec} has requests. */
final class ControlReplyCodec {
    private ControlReplyCodec() {}

    /** Puts a reply into a message. */
    static ControlReplyMessage toWire(ControlReply reply) {
        ControlReplyMessage.Builder message = ControlReplyMessage.newBuilder();
        switch (reply) {
            case ControlReply.Done _ -> {}
            case ControlReply.Refused r -> message.setStatus(r.status().code()).setMessage(r.message());
            case ControlReply.ContextOpened r ->
                message.setContextOpened(ContextOpenedMessage.newBuilder()
                        .setContext(r.context())
                        .setUarGrant(r.uarGrant())
                        .setStatusGrant(r.statusGrant()));
            case ControlReply.DeviceQueried r -> message.setDeviceQueried(DeviceCodec.toWire(r.attributes()));
            case ControlReply.PortQueried r -> message.setPortQueried(PortCodec.toWire(r.attributes()));
            case ControlReply.GidQueried r -> message.setGidQueried(PortCodec.toWire(r.gid()));
            case ControlReply.PkeyQueried r ->
                message.setPkeyQueried(PkeyQueriedMessage.newBuilder().setPkey(r.pkey()));
            case ControlReply.PdAllocated r ->
                message.setPdAllocated(
                        PdAllocatedMessage.newBuilder().setPd(r.pd()).setNumber(r.number()));
            case ControlReply.MemoryRegistered r ->
                message.setMemoryRegistered(MemoryRegisteredMessage.newBuilder()
                        .setRegion(r.region())
                        .setLkey(r.lkey())
                        .setRkey(r.rkey()));
            case ControlReply.WindowAllocated r ->
                message.setWindowAllocated(WindowAllocatedMessage.newBuilder()
                        .setWindow(r.window())
                        .setRkey(r.rkey()));
            case ControlReply.RingRegistered r ->
                message.setRingRegistered(RingRegisteredMessage.newBuilder().setRing(r.ring()));
            case ControlReply.CqCreated r ->
                message.setCqCreated(CqCreatedMessage.newBuilder()
                        .setCq(r.cq())
                        .setNumber(r.number())
                        .setSlot(r.slot())
                        .setEntries(r.entries()));
            case ControlReply.QpCreated r ->
                message.setQpCreated(QpCreatedMessage.newBuilder()
                        .setQp(r.qp())
                        .setQpn(r.qpn())
                        .setSlot(r.slot()));
            case ControlReply.QpQueried r ->
                message.setQpQueried(
                        QpQueriedMessage.newBuilder().putAllAttributes(AttributesCodec.toWire(r.attributes())));
            case ControlReply.AhCreated r ->
                message.setAhCreated(AhCreatedMessage.newBuilder().setAh(r.ah()).setNumber(r.number()));
            case ControlReply.SrqCreated r -> message.setSrqCreated(SrqCodec.toWire(r));
            case ControlReply.SrqQueried r -> message.setSrqQueried(SrqCodec.toWire(r));
            case ControlReply.Management r -> message.setManagement(ManagementReplyCodec.toWire(r.reply()));
        }
        return message.build();
    }

    /**
     * Takes a reply out of a message; a status without an answer is {@link ControlReply.Done} or
     * Refused.
     */
    static ControlReply fromWire(ControlReplyMessage message) {
        if (message.getStatus() != 0) {
            return new ControlReply.Refused(VerbsStatus.of(message.getStatus()), message.getMessage());
        }
        return switch (message.getReplyCase()) {
            case CONTEXT_OPENED -> {
                ContextOpenedMessage r = message.getContextOpened();
                yield new ControlReply.ContextOpened(r.getContext(), r.getUarGrant(), r.getStatusGrant());
            }
            case DEVICE_QUERIED -> new ControlReply.DeviceQueried(DeviceCodec.fromWire(message.getDeviceQueried()));
            case PORT_QUERIED -> new ControlReply.PortQueried(PortCodec.fromWire(message.getPortQueried()));
            case GID_QUERIED -> new ControlReply.GidQueried(PortCodec.fromWire(message.getGidQueried()));
            case PKEY_QUERIED ->
                new ControlReply.PkeyQueried(message.getPkeyQueried().getPkey());
            case PD_ALLOCATED ->
                new ControlReply.PdAllocated(
                        message.getPdAllocated().getPd(),
                        message.getPdAllocated().getNumber());
            case MEMORY_REGISTERED -> {
                MemoryRegisteredMessage r = message.getMemoryRegistered();
                yield new ControlReply.MemoryRegistered(r.getRegion(), r.getLkey(), r.getRkey());
            }
            case WINDOW_ALLOCATED ->
                new ControlReply.WindowAllocated(
                        message.getWindowAllocated().getWindow(),
                        message.getWindowAllocated().getRkey());
            case RING_REGISTERED ->
                new ControlReply.RingRegistered(message.getRingRegistered().getRing());
            case CQ_CREATED -> {
                CqCreatedMessage r = message.getCqCreated();
                yield new ControlReply.CqCreated(r.getCq(), r.getNumber(), r.getSlot(), r.getEntries());
            }
            case QP_CREATED -> {
                QpCreatedMessage r = message.getQpCreated();
                yield new ControlReply.QpCreated(r.getQp(), r.getQpn(), r.getSlot());
            }
            case QP_QUERIED ->
                new ControlReply.QpQueried(
                        AttributesCodec.fromWire(message.getQpQueried().getAttributesMap()));
            case AH_CREATED ->
                new ControlReply.AhCreated(
                        message.getAhCreated().getAh(), message.getAhCreated().getNumber());
            case SRQ_CREATED -> SrqCodec.fromWire(message.getSrqCreated());
            case SRQ_QUERIED -> SrqCodec.fromWire(message.getSrqQueried());
            case MANAGEMENT -> new ControlReply.Management(ManagementReplyCodec.fromWire(message.getManagement()));
            case REPLY_NOT_SET -> new ControlReply.Done();
        };
    }
}
