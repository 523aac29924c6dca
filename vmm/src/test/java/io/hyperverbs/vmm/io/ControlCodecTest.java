package io.hyperverbs.vmm.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.AtomicCap;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.DeviceCapability;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.GlobalRoute;
import io.hyperverbs.verbs.PortState;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SrqLimits;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.wire.ControlRequestMessage;
import io.hyperverbs.vmm.io.wire.DestroyMessage;
import io.hyperverbs.vmm.io.wire.FrameRunMessage;
import io.hyperverbs.vmm.io.wire.GlobalRouteMessage;
import io.hyperverbs.vmm.io.wire.ModifyQpMessage;
import io.hyperverbs.vmm.io.wire.OpenContextMessage;
import io.hyperverbs.vmm.io.wire.RegisterMemoryMessage;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ControlCodecTest {
    private static final List<FrameRun> RUNS = List.of(new FrameRun(7, 2), new FrameRun(1L << 40, 9));

    static Stream<ControlRequest> requests() {
        return Stream.of(
                new ControlRequest.OpenContext(DataPathKind.FORWARDED_UNARY),
                new ControlRequest.QueryDevice(-3),
                new ControlRequest.QueryPort(4, 1),
                new ControlRequest.QueryGid(4, -1, -2),
                new ControlRequest.QueryPkey(4, 2, Integer.MAX_VALUE),
                new ControlRequest.AllocatePd(Long.MIN_VALUE),
                new ControlRequest.OpenXrcd(Long.MAX_VALUE),
                new ControlRequest.RegisterMemory(5, -4096, 12_345, Access.ALL_BITS, RUNS),
                new ControlRequest.RegisterRing(6, 8192, RUNS),
                new ControlRequest.CreateCq(7, 64, 8, true),
                new ControlRequest.CreateQp(9, 2, 10, 11, 12, new QpLimits(1, 2, 3, 4, 5, true)),
                new ControlRequest.CreateQp(9, 2, 10, 11, 12, new QpLimits(1, 0, 3, 1, 5, true), -16),
                new ControlRequest.ResizeCq(27, -28, 29, -30),
                new ControlRequest.ModerateCq(31, -32, 33),
                new ControlRequest.CreateSrq(17, new SrqLimits(-18, 19), 20),
                new ControlRequest.CreateSrq(17, new SrqLimits(18, 19), 20, 34, 35),
                new ControlRequest.ArmSrq(21, 0),
                new ControlRequest.ArmSrq(21, -22),
                new ControlRequest.ResizeSrq(23, 0, 25),
                new ControlRequest.QuerySrq(26),
                new ControlRequest.ModifyQp(13, QpAttributes.toRtr(new Endpoint(1, 2, 3, 4, 5, 6))),
                new ControlRequest.ModifyQp(
                        13, QpAttributes.to(QpState.RTR).withRoute(GlobalRoute.to(Gid.ofIpv4(0x0a000002)))),
                new ControlRequest.ModifyQp(
                        13, QpAttributes.to(QpState.RTR).with(QpAttribute.AV, 3).withStaticRate(2)),
                new ControlRequest.QueryQp(14),
                new ControlRequest.CreateAh(16, AddressAttributes.of(0xbfff)),
                new ControlRequest.CreateAh(
                        -16, new AddressAttributes(2, -3, 4, 5, 6, new GlobalRoute(new Gid(-7, 8), 9, 10, 11, -12))),
                new ControlRequest.AttachMulticast(17, new Gid(-1, 18), 0xc001),
                new ControlRequest.DetachMulticast(18, new Gid(1, -18), -1),
                new ControlRequest.Destroy(ObjectKind.QP, 15),
                new ControlRequest.Management(new ManagementRequest.Release(16)),
                new ControlRequest.AllocateWindow(16, 2),
                new ControlRequest.ReregisterMemory(17, 7, 18, -4096, 19, 21, List.of(new FrameRun(22, 23))),
                new ControlRequest.AllocateDmaKey(24));
    }

    static Stream<ControlReply> replies() {
        return Stream.of(
                new ControlReply.Done(),
                new ControlReply.Refused(VerbsStatus.EAGAIN, "quota qp 64 of 64"),
                new ControlReply.ContextOpened(1, 2, 3),
                new ControlReply.DeviceQueried(
                        DeviceCodecTest.device(EnumSet.allOf(DeviceCapability.class), AtomicCap.HCA)),
                new ControlReply.PortQueried(DeviceCodecTest.port(PortState.ARMED)),
                new ControlReply.GidQueried(new Gid(-1, 2)),
                new ControlReply.PkeyQueried(0x8001),
                new ControlReply.PdAllocated(4, 5),
                new ControlReply.MemoryRegistered(6, -7, 8),
                new ControlReply.RingRegistered(9),
                new ControlReply.WindowAllocated(15, 0xfedcba98),
                new ControlReply.CqCreated(10, 11, 12, 64),
                new ControlReply.QpCreated(13, 0xfffffe, 14),
                new ControlReply.AhCreated(-19, 0xffffffff),
                new ControlReply.SrqCreated(15, 0xfffffe),
                new ControlReply.SrqQueried(16, 17, -18),
                new ControlReply.QpQueried(QpAttributes.toRts(77)),
                new ControlReply.QpQueried(QpAttributes.none()
                        .withRoute(new GlobalRoute(new Gid(-7, 8), 9, 0, 11, 12))
                        .withStaticRate(-3)),
                new ControlReply.Management(new ManagementReply.Opened(15)));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void givesBackEachRequest(ControlRequest request) {
        ControlRequestMessage message = GeneratedMessages.toWire(42, request);

        assertThat(GeneratedMessages.fromWire(message)).isEqualTo(request);
        assertThat(message.getRequestId()).isEqualTo(42);
    }

    @ParameterizedTest
    @MethodSource("replies")
    void givesBackEachReply(ControlReply reply) {
        assertThat(GeneratedMessages.fromWire(GeneratedMessages.toWire(reply))).isEqualTo(reply);
    }

    @Test
    void coversEveryRequestAndReply() {
        Set<Class<?>> seen = new HashSet<>();
        requests().forEach(request -> seen.add(request.getClass()));
        replies().forEach(reply -> seen.add(reply.getClass()));

        assertThat(seen)
                .contains(ControlRequest.class.getPermittedSubclasses())
                .contains(ControlReply.class.getPermittedSubclasses());
    }

    static Stream<ControlRequestMessage> violations() {
        return Stream.of(
                ControlRequestMessage.getDefaultInstance(),
                ControlRequestMessage.newBuilder()
                        .setOpenContext(OpenContextMessage.newBuilder().setDataPath(3))
                        .build(),
                ControlRequestMessage.newBuilder()
                        .setDestroy(DestroyMessage.newBuilder().setKind(-1))
                        .build(),
                ControlRequestMessage.newBuilder()
                        .setModifyQp(ModifyQpMessage.newBuilder().putAttributes(31, 1L))
                        .build(),
                ControlRequestMessage.newBuilder()
                        .setModifyQp(ModifyQpMessage.newBuilder().setRoute(GlobalRouteMessage.getDefaultInstance()))
                        .build(),
                withRun(-1, 1),
                withRun(0, 0),
                withRun(0, -1),
                withRun(Long.MAX_VALUE, Long.MAX_VALUE));
    }

    private static ControlRequestMessage withRun(long first, long count) {
        return ControlRequestMessage.newBuilder()
                .setRegisterMemory(RegisterMemoryMessage.newBuilder()
                        .addRuns(FrameRunMessage.newBuilder()
                                .setFirstFrame(first)
                                .setCount(count)))
                .build();
    }

    @ParameterizedTest
    @MethodSource("violations")
    void refusesWhatNoFrontendBuilds(ControlRequestMessage message) {
        assertThatThrownBy(() -> GeneratedMessages.fromWire(message)).isInstanceOf(ProtocolViolation.class);
    }

    @Test
    void framesOfARequestAreItsOwn() {
        List<FrameRun> frames = new ArrayList<>(List.of(new FrameRun(5, 1)));
        ControlRequest.RegisterMemory request = new ControlRequest.RegisterMemory(1, 0, 4096, 0, frames);

        frames.set(0, new FrameRun(6, 1));

        assertThat(request.runs()).containsExactly(new FrameRun(5, 1));
    }
}
