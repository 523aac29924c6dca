package io.hyperverbs.vmm.io;

import com.google.protobuf.ByteString;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.vmm.io.ManagementRequest.Answer;
import io.hyperverbs.vmm.io.wire.AcceptMessage;
import io.hyperverbs.vmm.io.wire.AnswerMessage;
import io.hyperverbs.vmm.io.wire.ConnectMessage;
import io.hyperverbs.vmm.io.wire.CreateCmChannelMessage;
import io.hyperverbs.vmm.io.wire.DestinationMessage;
import io.hyperverbs.vmm.io.wire.GidMessage;
import io.hyperverbs.vmm.io.wire.JoinGroupMessage;
import io.hyperverbs.vmm.io.wire.ListenMessage;
import io.hyperverbs.vmm.io.wire.ManagementRequestMessage;
import io.hyperverbs.vmm.io.wire.OfferMessage;
import io.hyperverbs.vmm.io.wire.QueryGroupMessage;
import io.hyperverbs.vmm.io.wire.QueryOwnGidMessage;
import io.hyperverbs.vmm.io.wire.QueryPathMessage;
import io.hyperverbs.vmm.io.wire.QueryServicesMessage;
import io.hyperverbs.vmm.io.wire.RegisterServiceMessage;
import io.hyperverbs.vmm.io.wire.ReleaseMessage;
import io.hyperverbs.vmm.io.wire.ResolveMessage;
import io.hyperverbs.vmm.io.wire.TakeEventsMessage;

/**
 * Between {@link ManagementRequest} and the messages of management.proto. Stateless; any thread.
 */
final class ManagementCodec {
    private ManagementCodec() {}

    static ManagementRequestMessage toWire(ManagementRequest request) {
        ManagementRequestMessage.Builder message = ManagementRequestMessage.newBuilder();
        switch (request) {
            case ManagementRequest.CreateChannel r ->
                message.setCreateChannel(CreateCmChannelMessage.newBuilder().setContext(r.context()));
            case ManagementRequest.Listen r ->
                message.setListen(ListenMessage.newBuilder()
                        .setChannel(r.channel())
                        .setServiceId(r.serviceId())
                        .setBacklog(r.backlog()));
            case ManagementRequest.Resolve r ->
                message.setResolve(
                        ResolveMessage.newBuilder().setChannel(r.channel()).setTo(toWire(r.to())));
            case ManagementRequest.Connect r ->
                message.setConnect(ConnectMessage.newBuilder()
                        .setConnection(r.connection())
                        .setServiceId(r.serviceId())
                        .setOffer(toWire(r.offer()))
                        .setResponseNanos(r.responseNanos())
                        .setPrivateData(toWire(r.data())));
            case ManagementRequest.Accept r ->
                message.setAccept(AcceptMessage.newBuilder()
                        .setConnection(r.connection())
                        .setOffer(toWire(r.offer()))
                        .setResponseNanos(r.responseNanos())
                        .setPrivateData(toWire(r.data())));
            case Answer r ->
                message.setAnswer(AnswerMessage.newBuilder()
                        .setConnection(r.connection())
                        .setKind(r.kind().code())
                        .setPrivateData(toWire(r.data())));
            case ManagementRequest.TakeEvents r ->
                message.setTakeEvents(TakeEventsMessage.newBuilder().setChannel(r.channel()));
            case ManagementRequest.Release r ->
                message.setRelease(ReleaseMessage.newBuilder().setHandle(r.handle()));
            case ManagementRequest.QueryOwnGid r ->
                message.setQueryOwnGid(QueryOwnGidMessage.newBuilder().setContext(r.context()));
            case ManagementRequest.QueryPath r ->
                message.setQueryPath(
                        QueryPathMessage.newBuilder().setContext(r.context()).setTo(toWire(r.to())));
            case ManagementRequest.JoinGroup r ->
                message.setJoinGroup(JoinGroupMessage.newBuilder()
                        .setContext(r.context())
                        .setGroup(toWire(r.group()))
                        .setJoinState(r.joinState())
                        .setQkey(r.qkey()));
            case ManagementRequest.QueryGroup r ->
                message.setQueryGroup(
                        QueryGroupMessage.newBuilder().setContext(r.context()).setGroup(toWire(r.group())));
            case ManagementRequest.RegisterService r ->
                message.setRegisterService(RegisterServiceMessage.newBuilder()
                        .setContext(r.context())
                        .setId(r.id())
                        .setName(r.name())
                        .setData(toWire(r.data()))
                        .setLeaseSeconds(r.leaseSeconds()));
            case ManagementRequest.QueryServices r ->
                message.setQueryServices(QueryServicesMessage.newBuilder()
                        .setContext(r.context())
                        .setId(r.id())
                        .setName(r.name()));
        }
        return message.build();
    }

    static ManagementRequest fromWire(ManagementRequestMessage message) {
        return switch (message.getRequestCase()) {
            case CREATE_CHANNEL ->
                new ManagementRequest.CreateChannel(message.getCreateChannel().getContext());
            case LISTEN -> {
                ListenMessage r = message.getListen();
                yield new ManagementRequest.Listen(r.getChannel(), r.getServiceId(), r.getBacklog());
            }
            case RESOLVE ->
                new ManagementRequest.Resolve(
                        message.getResolve().getChannel(),
                        fromWire(message.getResolve().getTo()));
            case CONNECT -> {
                ConnectMessage r = message.getConnect();
                yield new ManagementRequest.Connect(
                        r.getConnection(),
                        r.getServiceId(),
                        fromWire(r.getOffer()),
                        r.getResponseNanos(),
                        fromWire(r.getPrivateData()));
            }
            case ACCEPT -> {
                AcceptMessage r = message.getAccept();
                yield new ManagementRequest.Accept(
                        r.getConnection(), fromWire(r.getOffer()), r.getResponseNanos(), fromWire(r.getPrivateData()));
            }
            case ANSWER -> {
                AnswerMessage r = message.getAnswer();
                yield new Answer(r.getConnection(), kind(r.getKind()), fromWire(r.getPrivateData()));
            }
            case TAKE_EVENTS ->
                new ManagementRequest.TakeEvents(message.getTakeEvents().getChannel());
            case RELEASE -> new ManagementRequest.Release(message.getRelease().getHandle());
            case QUERY_OWN_GID ->
                new ManagementRequest.QueryOwnGid(message.getQueryOwnGid().getContext());
            case QUERY_PATH ->
                new ManagementRequest.QueryPath(
                        message.getQueryPath().getContext(),
                        fromWire(message.getQueryPath().getTo()));
            case JOIN_GROUP -> {
                JoinGroupMessage r = message.getJoinGroup();
                yield new ManagementRequest.JoinGroup(
                        r.getContext(), fromWire(r.getGroup()), r.getJoinState(), r.getQkey());
            }
            case QUERY_GROUP ->
                new ManagementRequest.QueryGroup(
                        message.getQueryGroup().getContext(),
                        fromWire(message.getQueryGroup().getGroup()));
            case REGISTER_SERVICE -> {
                RegisterServiceMessage r = message.getRegisterService();
                yield new ManagementRequest.RegisterService(
                        r.getContext(), r.getId(), r.getName(), fromWire(r.getData()), r.getLeaseSeconds());
            }
            case QUERY_SERVICES -> {
                QueryServicesMessage r = message.getQueryServices();
                yield new ManagementRequest.QueryServices(r.getContext(), r.getId(), r.getName());
            }
            case REQUEST_NOT_SET -> throw new ProtocolViolation("management message without a request");
        };
    }

    static GidMessage toWire(Gid gid) {
        return GidMessage.newBuilder()
                .setPrefix(gid.prefix())
                .setInterfaceId(gid.interfaceId())
                .build();
    }

    static Gid fromWire(GidMessage message) {
        return new Gid(message.getPrefix(), message.getInterfaceId());
    }

    static OfferMessage toWire(CmOffer offer) {
        return OfferMessage.newBuilder()
                .setType(offer.type().code())
                .setQpn(offer.qpn())
                .setPsn(offer.psn())
                .setResponderResources(offer.responderResources())
                .setInitiatorDepth(offer.initiatorDepth())
                .setRetryCount(offer.retryCount())
                .setRnrRetryCount(offer.rnrRetryCount())
                .setAckTimeout(offer.ackTimeout())
                .build();
    }

    static CmOffer fromWire(OfferMessage message) {
        return new CmOffer(
                QpType.of(message.getType())
                        .orElseThrow(() -> new ProtocolViolation("offer of transport " + message.getType())),
                message.getQpn(),
                message.getPsn(),
                message.getResponderResources(),
                message.getInitiatorDepth(),
                message.getRetryCount(),
                message.getRnrRetryCount(),
                message.getAckTimeout());
    }

    static ByteString toWire(PrivateData data) {
        return ByteString.copyFrom(data.bytes());
    }

    static PrivateData fromWire(ByteString bytes) {
        return PrivateData.of(bytes.toByteArray());
    }

    private static DestinationMessage toWire(Destination to) {
        DestinationMessage.Builder message = DestinationMessage.newBuilder();
        switch (to) {
            case Destination.Guest guest -> message.setGuest(guest.name());
            case Destination.OfGid gid -> message.setGid(toWire(gid.gid()));
            case Destination.OfLid lid -> message.setLid(lid.lid());
        }
        return message.build();
    }

    private static Destination fromWire(DestinationMessage message) {
        return switch (message.getToCase()) {
            case GUEST -> Destination.guest(message.getGuest());
            case GID -> Destination.gid(fromWire(message.getGid()));
            case LID -> Destination.lid(message.getLid());
            case TO_NOT_SET -> throw new ProtocolViolation("destination without an address");
        };
    }

    private static Answer.Kind kind(int code) {
        for (Answer.Kind kind : Answer.Kind.values()) {
            if (kind.code() == code) {
                return kind;
            }
        }
        throw new ProtocolViolation("answer of kind " + code);
    }
}
