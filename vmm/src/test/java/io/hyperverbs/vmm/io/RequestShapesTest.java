package io.hyperverbs.vmm.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.hyperverbs.vmm.io.wire.ControlReplyMessage;
import io.hyperverbs.vmm.io.wire.ControlRequestMessage;
import io.hyperverbs.vmm.io.wire.FrameRunMessage;
import io.hyperverbs.vmm.io.wire.ManagementReplyMessage;
import io.hyperverbs.vmm.io.wire.ManagementRequestMessage;
import io.hyperverbs.vmm.io.wire.ModifySrqMessage;
import io.hyperverbs.vmm.io.wire.RegisterRingMessage;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that no driver builds, at their edges. */
class RequestShapesTest {
    private static ControlRequestMessage ring(int runs) {
        RegisterRingMessage.Builder ring = RegisterRingMessage.newBuilder().setContext(1);
        for (int i = 0; i < runs; i++) {
            ring.addRuns(FrameRunMessage.newBuilder().setFirstFrame(1 + i).setCount(1));
        }
        return ControlRequestMessage.newBuilder().setRegisterRing(ring).build();
    }

    @Test
    void runsAreBounded() {
        int most = RunsField.MAX_RUNS;

        assertThat(GeneratedMessages.fromWire(ring(most)))
                .isInstanceOfSatisfying(
                        ControlRequest.RegisterRing.class,
                        request -> assertThat(request.runs()).hasSize(most));
        assertThatThrownBy(() -> GeneratedMessages.fromWire(ring(most + 1)))
                .isInstanceOf(ProtocolViolation.class)
                .hasMessageContaining("at most " + most);
    }

    @Test
    void runsBeginAtAnyFrame() {
        ControlRequest ring = new ControlRequest.RegisterRing(1, 8192, List.of(new FrameRun(0, 2)));

        assertThat(ControlCodec.request(ControlCodec.bytesOf(ring))).isEqualTo(ring);
    }

    record Picky(int value) {
        Picky {
            if (value == 0) {
                throw new ProtocolViolation("none");
            }
            if (value < 0) {
                throw new StackOverflowError("as where the stack is short");
            }
        }
    }

    @Test
    void whatARecordRefusesIsThrownAsItIs() {
        Shape<Picky> shape = Shape.of(Picky.class, Field.uint32("value", 1));

        assertThat(shape.build(new Object[] {7})).isEqualTo(new Picky(7));
        assertThatThrownBy(() -> shape.build(new Object[] {0}))
                .isInstanceOf(ProtocolViolation.class)
                .hasMessage("none");
        assertThatThrownBy(() -> shape.build(new Object[] {-1})).isInstanceOf(StackOverflowError.class);
    }

    @Test
    void aRecordHasAFieldForEachComponent() {
        Shape<FrameRun> half = Shape.of(FrameRun.class, Field.uint64("first", 1));

        assertThatThrownBy(() -> half.bytes(new FrameRun(1, 2))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void bytesThatAreNoMessageAreAViolation() {
        byte[] bytes = {1, 2, 3};

        assertThatThrownBy(() -> ControlCodec.request(bytes)).isInstanceOf(ProtocolViolation.class);
        assertThatThrownBy(() -> ControlCodec.reply(bytes)).isInstanceOf(ProtocolViolation.class);
    }

    @Test
    void aModifiedSharedQueueHasAChange() {
        ControlRequestMessage message = ControlRequestMessage.newBuilder()
                .setModifySrq(ModifySrqMessage.newBuilder().setSrq(1))
                .build();

        assertThatThrownBy(() -> GeneratedMessages.fromWire(message))
                .isInstanceOf(ProtocolViolation.class)
                .hasMessageContaining("without a change");
    }

    @Test
    void anAnswerOfManagementSaysSomething() {
        ControlReplyMessage nothing = ControlReplyMessage.newBuilder()
                .setManagement(ManagementReplyMessage.getDefaultInstance())
                .build();

        assertThatThrownBy(() -> GeneratedMessages.fromWire(nothing)).isInstanceOf(ProtocolViolation.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void runsHaveFrames(long count) {
        assertThatThrownBy(() -> new FrameRun(1, count)).isInstanceOf(ProtocolViolation.class);
    }

    /** What only asks is not written to the journal, so that nothing else may be called so. */
    @Test
    void queriesAreThoseThatChangeNothing() {
        assertThat(verbs(PrivilegedVerb::isQuery))
                .containsExactly(
                        "query_device",
                        "query_port",
                        "query_gid",
                        "query_pkey",
                        "query_qp",
                        "query_srq",
                        "cm_get_events",
                        "sa_gid",
                        "sa_path",
                        "sa_members",
                        "sa_services");
    }

    /** What gives back is done on credit and without a record where there is no room. */
    @Test
    void endsAreThoseThatGiveBack() {
        assertThat(verbs(PrivilegedVerb::isEnd)).containsExactly("detach_mcast", "destroy", "cm_release");
    }

    private static List<String> verbs(Predicate<PrivilegedVerb> kind) {
        return Arrays.stream(PrivilegedVerb.values())
                .filter(kind)
                .map(PrivilegedVerb::verb)
                .toList();
    }

    /** Each row's fields are those of the message that has its number. */
    @ParameterizedTest
    @EnumSource(PrivilegedVerb.class)
    void numbersAreThoseOfTheProto(PrivilegedVerb verb) {
        Descriptor requests =
                verb.isManagement() ? ManagementRequestMessage.getDescriptor() : ControlRequestMessage.getDescriptor();

        FieldDescriptor message = requests.findFieldByNumber(verb.number());

        assertThat(message).as(verb.name()).isNotNull();
        assertThat(verb.shape().fields()).hasSize(verb.shape().type().getRecordComponents().length);
    }

    @Test
    void everyRequestHasItsRow() {
        Set<Class<?>> types = new HashSet<>();
        for (PrivilegedVerb verb : PrivilegedVerb.values()) {
            assertThat(types.add(verb.shape().type())).as(verb.name()).isTrue();
        }

        assertThat(types)
                .contains(ManagementRequest.class.getPermittedSubclasses())
                .hasSize(ManagementRequest.class.getPermittedSubclasses().length
                        + ControlRequest.class.getPermittedSubclasses().length
                        - 1);
    }
}
