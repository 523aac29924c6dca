package io.hyperverbs.vmm.hypercall;

import io.hyperverbs.vmm.hypercall.SessionReport.Calls;
import io.hyperverbs.vmm.hypercall.SessionReport.CmId;
import io.hyperverbs.vmm.hypercall.SessionReport.Peer;
import io.hyperverbs.vmm.hypercall.SessionReport.QuotaUse;
import io.hyperverbs.vmm.hypercall.SessionReport.Rejection;
import io.hyperverbs.vmm.hypercall.wire.CmIdMessage;
import io.hyperverbs.vmm.hypercall.wire.QuotaUseMessage;
import io.hyperverbs.vmm.hypercall.wire.RejectionMessage;
import io.hyperverbs.vmm.hypercall.wire.SessionReportMessage;

/** Session reports in messages. */
public final class SessionReportCodec {
    private SessionReportCodec() {}

    public static SessionReportMessage encode(SessionReport report) {
        SessionReportMessage.Builder message = SessionReportMessage.newBuilder()
                .setMore(report.more())
                .setControlMessages(report.calls().control())
                .setDataMessages(report.calls().data());
        for (QuotaUse use : report.quotas()) {
            message.addQuotas(QuotaUseMessage.newBuilder().setQuota(use.quota()).setUsed(use.used()));
        }
        for (CmId id : report.cmIds()) {
            CmIdMessage.Builder one = CmIdMessage.newBuilder()
                    .setNumber(id.number())
                    .setState(id.state())
                    .setPassive(id.passive())
                    .setQpn(id.qpn())
                    .setRemoteQpn(id.remoteQpn())
                    .setSourceGid(id.sourceGid())
                    .setServiceId(id.serviceId());
            Peer peer = id.peer();
            if (peer != null) {
                one.setPeer(peer.name()).setDestinationGid(peer.gid());
            }
            message.addCmIds(one);
        }
        for (Rejection rejection : report.rejections()) {
            message.addRejections(
                    RejectionMessage.newBuilder().setAct(rejection.act()).setCount(rejection.count()));
        }
        return message.build();
    }

    public static SessionReport decode(SessionReportMessage message) {
        return new SessionReport(
                message.getQuotasList().stream()
                        .map(use -> new QuotaUse(use.getQuota(), use.getUsed()))
                        .toList(),
                message.getCmIdsList().stream().map(SessionReportCodec::decode).toList(),
                message.getMore(),
                message.getRejectionsList().stream()
                        .map(one -> new Rejection(one.getAct(), one.getCount()))
                        .toList(),
                new Calls(message.getControlMessages(), message.getDataMessages()));
    }

    private static CmId decode(CmIdMessage one) {
        return new CmId(
                one.getNumber(),
                one.getState(),
                one.getPassive(),
                one.getQpn(),
                one.getRemoteQpn(),
                one.getSourceGid(),
                one.getServiceId(),
                one.getPeer().isEmpty() ? null : new Peer(one.getPeer(), one.getDestinationGid()));
    }
}
