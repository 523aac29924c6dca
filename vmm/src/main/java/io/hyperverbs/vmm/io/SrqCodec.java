package io.hyperverbs.vmm.io;

import io.hyperverbs.verbs.SrqLimits;
import io.hyperverbs.vmm.io.wire.CreateSrqMessage;
import io.hyperverbs.vmm.io.wire.ModifySrqMessage;
import io.hyperverbs.vmm.io.wire.SrqCreatedMessage;
import io.hyperverbs.vmm.io.wire.SrqQueriedMessage;

/** The part of {@link ControlCodec} for shared receive queues. Stateless; any thread. */
final class SrqCodec {
    private SrqCodec() {}

    static CreateSrqMessage toWire(ControlRequest.CreateSrq r) {
        return CreateSrqMessage.newBuilder()
                .setPd(r.pd())
                .setReceiveWr(r.limits().receiveWr())
                .setReceiveSge(r.limits().receiveSge())
                .setRing(r.ring())
                .setXrcd(r.xrcd())
                .setCq(r.cq())
                .build();
    }

    static ModifySrqMessage toWire(ControlRequest.ArmSrq r) {
        return ModifySrqMessage.newBuilder().setSrq(r.srq()).setLimit(r.limit()).build();
    }

    static ModifySrqMessage toWire(ControlRequest.ResizeSrq r) {
        return ModifySrqMessage.newBuilder()
                .setSrq(r.srq())
                .setReceiveWr(r.receiveWr())
                .setRing(r.ring())
                .build();
    }

    static SrqCreatedMessage toWire(ControlReply.SrqCreated r) {
        return SrqCreatedMessage.newBuilder().setSrq(r.srq()).setSrqn(r.srqn()).build();
    }

    static SrqQueriedMessage toWire(ControlReply.SrqQueried r) {
        return SrqQueriedMessage.newBuilder()
                .setEntries(r.entries())
                .setLimit(r.limit())
                .setHeadIndex(r.headIndex())
                .build();
    }

    static ControlRequest fromWire(CreateSrqMessage m) {
        return new ControlRequest.CreateSrq(
                m.getPd(), new SrqLimits(m.getReceiveWr(), m.getReceiveSge()), m.getRing(), m.getXrcd(), m.getCq());
    }

    static ControlRequest fromWire(ModifySrqMessage m) {
        return switch (m.getChangeCase()) {
            case LIMIT -> new ControlRequest.ArmSrq(m.getSrq(), m.getLimit());
            case RECEIVE_WR -> new ControlRequest.ResizeSrq(m.getSrq(), m.getReceiveWr(), m.getRing());
            case CHANGE_NOT_SET -> throw new ProtocolViolation("modify_srq without a change");
        };
    }

    static ControlReply fromWire(SrqCreatedMessage m) {
        return new ControlReply.SrqCreated(m.getSrq(), m.getSrqn());
    }

    static ControlReply fromWire(SrqQueriedMessage m) {
        return new ControlReply.SrqQueried(m.getEntries(), m.getLimit(), m.getHeadIndex());
    }
}
