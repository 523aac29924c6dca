package io.hyperverbs.vmm.io;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.RejectReason;
import io.hyperverbs.verbs.sa.MemberRecord;
import io.hyperverbs.verbs.sa.PathRecord;
import io.hyperverbs.verbs.sa.ServiceRecord;
import io.hyperverbs.vmm.io.wire.JoinedMessage;
import io.hyperverbs.vmm.io.wire.ManagementReplyMessage;
import io.hyperverbs.vmm.io.wire.MemberMessage;
import io.hyperverbs.vmm.io.wire.MembersMessage;
import io.hyperverbs.vmm.io.wire.NoticeMessage;
import io.hyperverbs.vmm.io.wire.NoticesMessage;
import io.hyperverbs.vmm.io.wire.PathMessage;
import io.hyperverbs.vmm.io.wire.ReleaseMessage;
import io.hyperverbs.vmm.io.wire.ResolvedMessage;
import io.hyperverbs.vmm.io.wire.ServiceMessage;
import io.hyperverbs.vmm.io.wire.ServiceRegisteredMessage;
import io.hyperverbs.vmm.io.wire.ServicesMessage;

/** Between {@link ManagementReply} and the messages of management.proto. Stateless; any thread. */
final class ManagementReplyCodec {
    private ManagementReplyCodec() {}

    static ManagementReplyMessage toWire(ManagementReply reply) {
        ManagementReplyMessage.Builder message = ManagementReplyMessage.newBuilder();
        switch (reply) {
            case ManagementReply.Opened r ->
                message.setOpened(ReleaseMessage.newBuilder().setHandle(r.handle()));
            case ManagementReply.Resolved r ->
                message.setResolved(ResolvedMessage.newBuilder()
                        .setConnection(r.connection())
                        .setGuest(r.guest())
                        .setPath(toWire(r.path())));
            case ManagementReply.OwnGid r -> message.setGid(ManagementCodec.toWire(r.gid()));
            case ManagementReply.Path r -> message.setPath(toWire(r.path()));
            case ManagementReply.Joined r ->
                message.setJoined(
                        JoinedMessage.newBuilder().setHandle(r.handle()).setRecord(toWire(r.member())));
            case ManagementReply.Members r -> {
                MembersMessage.Builder records = MembersMessage.newBuilder();
                r.members().forEach(member -> records.addRecords(toWire(member)));
                message.setMembers(records);
            }
            case ManagementReply.ServiceRegistered r ->
                message.setServiceRegistered(ServiceRegisteredMessage.newBuilder()
                        .setHandle(r.handle())
                        .setRecord(toWire(r.service())));
            case ManagementReply.Services r -> {
                ServicesMessage.Builder records = ServicesMessage.newBuilder();
                r.services().forEach(service -> records.addRecords(toWire(service)));
                message.setServices(records);
            }
            case ManagementReply.Notices r -> {
                NoticesMessage.Builder notices = NoticesMessage.newBuilder().setMore(r.more());
                r.notices().forEach(notice -> notices.addNotices(toWire(notice)));
                message.setNotices(notices);
            }
        }
        return message.build();
    }

    static ManagementReply fromWire(ManagementReplyMessage message) {
        return switch (message.getReplyCase()) {
            case OPENED -> new ManagementReply.Opened(message.getOpened().getHandle());
            case RESOLVED -> {
                ResolvedMessage r = message.getResolved();
                yield new ManagementReply.Resolved(r.getConnection(), r.getGuest(), fromWire(r.getPath()));
            }
            case GID -> new ManagementReply.OwnGid(ManagementCodec.fromWire(message.getGid()));
            case PATH -> new ManagementReply.Path(fromWire(message.getPath()));
            case JOINED ->
                new ManagementReply.Joined(
                        message.getJoined().getHandle(),
                        fromWire(message.getJoined().getRecord()));
            case MEMBERS ->
                new ManagementReply.Members(message.getMembers().getRecordsList().stream()
                        .map(ManagementReplyCodec::fromWire)
                        .toList());
            case SERVICE_REGISTERED ->
                new ManagementReply.ServiceRegistered(
                        message.getServiceRegistered().getHandle(),
                        fromWire(message.getServiceRegistered().getRecord()));
            case SERVICES ->
                new ManagementReply.Services(message.getServices().getRecordsList().stream()
                        .map(ManagementReplyCodec::fromWire)
                        .toList());
            case NOTICES ->
                new ManagementReply.Notices(
                        message.getNotices().getNoticesList().stream()
                                .map(ManagementReplyCodec::fromWire)
                                .toList(),
                        message.getNotices().getMore());
            case REPLY_NOT_SET -> throw new ProtocolViolation("management reply without content");
        };
    }

    private static PathMessage toWire(PathRecord path) {
        return PathMessage.newBuilder()
                .setSource(ManagementCodec.toWire(path.sourceGid()))
                .setDestination(ManagementCodec.toWire(path.destinationGid()))
                .setSourceLid(path.sourceLid())
                .setDestinationLid(path.destinationLid())
                .setPkey(path.pkey())
                .setServiceLevel(path.serviceLevel())
                .setMtuBytes(path.mtuBytes())
                .setPacketLifeTime(path.packetLifeTime())
                .setReversible(path.reversible())
                .build();
    }

    private static PathRecord fromWire(PathMessage m) {
        return new PathRecord(
                ManagementCodec.fromWire(m.getSource()),
                ManagementCodec.fromWire(m.getDestination()),
                m.getSourceLid(),
                m.getDestinationLid(),
                m.getPkey(),
                m.getServiceLevel(),
                m.getMtuBytes(),
                m.getPacketLifeTime(),
                m.getReversible());
    }

    private static MemberMessage toWire(MemberRecord member) {
        return MemberMessage.newBuilder()
                .setGroup(ManagementCodec.toWire(member.group()))
                .setPort(ManagementCodec.toWire(member.port()))
                .setMlid(member.mlid())
                .setQkey(member.qkey())
                .setPkey(member.pkey())
                .setMtuBytes(member.mtuBytes())
                .setJoinState(member.joinState())
                .build();
    }

    private static MemberRecord fromWire(MemberMessage m) {
        return new MemberRecord(
                ManagementCodec.fromWire(m.getGroup()),
                ManagementCodec.fromWire(m.getPort()),
                m.getMlid(),
                m.getQkey(),
                m.getPkey(),
                m.getMtuBytes(),
                m.getJoinState());
    }

    private static ServiceMessage toWire(ServiceRecord service) {
        return ServiceMessage.newBuilder()
                .setId(service.id())
                .setPort(ManagementCodec.toWire(service.port()))
                .setName(service.name())
                .setData(ManagementCodec.toWire(service.data()))
                .build();
    }

    private static ServiceRecord fromWire(ServiceMessage m) {
        return new ServiceRecord(
                m.getId(), ManagementCodec.fromWire(m.getPort()), m.getName(), ManagementCodec.fromWire(m.getData()));
    }

    private static NoticeMessage toWire(CmNotice notice) {
        return NoticeMessage.newBuilder()
                .setType(notice.type().code())
                .setConnection(notice.connection())
                .setServiceId(notice.serviceId())
                .setStatus(notice.status().code())
                .setReject(notice.reject().code())
                .setGuest(notice.guest())
                .setGid(ManagementCodec.toWire(notice.gid()))
                .setOffer(ManagementCodec.toWire(notice.offer()))
                .setPrivateData(ManagementCodec.toWire(notice.data()))
                .setPath(toWire(notice.path()))
                .build();
    }

    private static CmNotice fromWire(NoticeMessage m) {
        return new CmNotice(
                type(m.getType()),
                m.getConnection(),
                m.getServiceId(),
                VerbsStatus.of(m.getStatus()),
                RejectReason.of(m.getReject()),
                m.getGuest(),
                ManagementCodec.fromWire(m.getGid()),
                ManagementCodec.fromWire(m.getOffer()),
                ManagementCodec.fromWire(m.getPrivateData()),
                fromWire(m.getPath()));
    }

    private static CmEvent.Type type(int code) {
        try {
            return CmEvent.Type.of(code);
        } catch (IllegalArgumentException e) {
            throw new ProtocolViolation("CM event of type " + code);
        }
    }
}
