package io.hyperverbs.vmm.io;

import io.hyperverbs.vmm.io.wire.ModerateCqMessage;
import io.hyperverbs.vmm.io.wire.ResizeCqMessage;

/** The part of {@link ControlCodec} for changes of completion queues. Stateless; any thread. */
final class CqCodec {
    private CqCodec() {}

    static ResizeCqMessage toWire(ControlRequest.ResizeCq r) {
        return ResizeCqMessage.newBuilder()
                .setCq(r.cq())
                .setEntries(r.entries())
                .setRing(r.ring())
                .setConsumerIndex(r.consumerIndex())
                .build();
    }

    static ModerateCqMessage toWire(ControlRequest.ModerateCq r) {
        return ModerateCqMessage.newBuilder()
                .setCq(r.cq())
                .setCount(r.count())
                .setPeriodMicros(r.periodMicros())
                .build();
    }

    static ControlRequest fromWire(ResizeCqMessage m) {
        return new ControlRequest.ResizeCq(m.getCq(), m.getEntries(), m.getRing(), m.getConsumerIndex());
    }

    static ControlRequest fromWire(ModerateCqMessage m) {
        return new ControlRequest.ModerateCq(m.getCq(), m.getCount(), m.getPeriodMicros());
    }
}
