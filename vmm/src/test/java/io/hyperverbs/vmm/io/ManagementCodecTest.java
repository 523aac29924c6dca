package io.hyperverbs.vmm.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.verbs.cm.RejectReason;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.verbs.sa.MemberRecord;
import io.hyperverbs.verbs.sa.PathRecord;
import io.hyperverbs.verbs.sa.ServiceRecord;
import io.hyperverbs.vmm.io.wire.AnswerMessage;
import io.hyperverbs.vmm.io.wire.ControlReplyMessage;
import io.hyperverbs.vmm.io.wire.ControlRequestMessage;
import io.hyperverbs.vmm.io.wire.DestinationMessage;
import io.hyperverbs.vmm.io.wire.ManagementReplyMessage;
import io.hyperverbs.vmm.io.wire.ManagementRequestMessage;
import io.hyperverbs.vmm.io.wire.NoticeMessage;
import io.hyperverbs.vmm.io.wire.NoticesMessage;
import io.hyperverbs.vmm.io.wire.ResolveMessage;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ManagementCodecTest {
    private static final Gid GID = new Gid(0xfe80_0000_0000_0000L, -2);
    private static final CmOffer OFFER = new CmOffer(QpType.UC, 0xff_fffe, 0xff_ffff, 1, 2, 3, 4, 5);
    private static final PrivateData DATA = PrivateData.of((byte) 0, (byte) -1, (byte) 7);
    private static final PathRecord PATH = new PathRecord(GID, new Gid(1, 2), 3, 0xbfff, 0x8001, 15, 4096, 63, true);

    static Stream<ManagementRequest> requests() {
        return Stream.concat(
                Stream.of(ManagementRequest.Answer.Kind.values())
                        .map(kind -> new ManagementRequest.Answer(1, kind, DATA)),
                Stream.of(
                        new ManagementRequest.CreateChannel(Long.MIN_VALUE),
                        new ManagementRequest.Listen(2, -3, 128),
                        new ManagementRequest.Resolve(4, Destination.guest("naïve")),
                        new ManagementRequest.Resolve(5, Destination.gid(GID)),
                        new ManagementRequest.Resolve(6, Destination.lid(0xffff)),
                        new ManagementRequest.Connect(7, -8, OFFER, Long.MAX_VALUE, DATA),
                        new ManagementRequest.Accept(9, OFFER, -10, PrivateData.none()),
                        new ManagementRequest.Accept(9, CmOffer.ofDatagrams(1, -1), -10, DATA),
                        new ManagementRequest.TakeEvents(11),
                        new ManagementRequest.Release(12),
                        new ManagementRequest.QueryOwnGid(13),
                        new ManagementRequest.QueryPath(14, Destination.lid(-1)),
                        new ManagementRequest.JoinGroup(15, GID, 7, -16),
                        new ManagementRequest.QueryGroup(17, GID),
                        new ManagementRequest.RegisterService(18, -19, "", DATA, 0xffff_ffffL),
                        new ManagementRequest.QueryServices(20, 0, "store")));
    }

    static Stream<ManagementReply> replies() {
        return Stream.of(
                new ManagementReply.Opened(1),
                new ManagementReply.Resolved(2, "b", PATH),
                new ManagementReply.OwnGid(GID),
                new ManagementReply.Path(PATH),
                new ManagementReply.Pending(1_000_000),
                new ManagementReply.Joined(3, new MemberRecord(GID, GID, 0xc001, -4, 0xffff, 2048, 5)),
                new ManagementReply.Members(List.of()),
                new ManagementReply.ServiceRegistered(5, new ServiceRecord(-6, GID, "x", DATA)),
                new ManagementReply.Services(List.of(new ServiceRecord(7, GID, "", DATA))),
                new ManagementReply.Notices(
                        List.of(
                                notice(CmEvent.Type.REJECTED, RejectReason.STALE_CONN),
                                notice(CmEvent.Type.TIMEWAIT_EXIT, RejectReason.NONE)),
                        true));
    }

    private static CmNotice notice(CmEvent.Type type, RejectReason reject) {
        return new CmNotice(type, 8, -9, VerbsStatus.ECONNREFUSED, reject, "a", GID, OFFER, DATA, PATH);
    }

    @ParameterizedTest
    @MethodSource("requests")
    void givesBackEachRequest(ManagementRequest request) {
        ControlRequestMessage message = GeneratedMessages.toWire(42, new ControlRequest.Management(request));

        assertThat(GeneratedMessages.fromWire(message)).isEqualTo(new ControlRequest.Management(request));
    }

    @ParameterizedTest
    @MethodSource("replies")
    void givesBackEachReply(ManagementReply reply) {
        ControlReplyMessage message = GeneratedMessages.toWire(new ControlReply.Management(reply));

        assertThat(GeneratedMessages.fromWire(message)).isEqualTo(new ControlReply.Management(reply));
    }

    @Test
    void knowsEveryKindOfRequestAndReply() {
        assertThat(kinds(requests())).isEqualTo(Set.of(ManagementRequest.class.getPermittedSubclasses()));
        assertThat(kinds(replies())).isEqualTo(Set.of(ManagementReply.class.getPermittedSubclasses()));
    }

    @Test
    void refusesARequestWithoutContent() {
        assertRefused(ManagementRequestMessage.getDefaultInstance());
    }

    @Test
    void refusesADestinationWithoutContent() {
        assertRefused(ManagementRequestMessage.newBuilder()
                .setResolve(ResolveMessage.newBuilder().setTo(DestinationMessage.getDefaultInstance()))
                .build());
    }

    @Test
    void refusesAnAnswerOfNoKind() {
        assertRefused(ManagementRequestMessage.newBuilder()
                .setAnswer(AnswerMessage.newBuilder().setKind(3))
                .build());
        assertRefused(ManagementRequestMessage.newBuilder()
                .setAnswer(AnswerMessage.newBuilder().setKind(-1))
                .build());
    }

    @Test
    void refusesAnEventOfNoType() {
        ControlReplyMessage message = ControlReplyMessage.newBuilder()
                .setManagement(ManagementReplyMessage.newBuilder()
                        .setNotices(NoticesMessage.newBuilder()
                                .addNotices(NoticeMessage.newBuilder().setType(99))))
                .build();

        assertThatThrownBy(() -> GeneratedMessages.fromWire(message))
                .isInstanceOf(ProtocolViolation.class)
                .hasMessageContaining("99");
    }

    private static void assertRefused(ManagementRequestMessage content) {
        ControlRequestMessage message =
                ControlRequestMessage.newBuilder().setManagement(content).build();

        assertThatThrownBy(() -> GeneratedMessages.fromWire(message)).isInstanceOf(ProtocolViolation.class);
    }

    private static Set<Class<?>> kinds(Stream<?> values) {
        return values.<Class<?>>map(Object::getClass).collect(Collectors.toSet());
    }
}
