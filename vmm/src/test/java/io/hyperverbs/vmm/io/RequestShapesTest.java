package io.hyperverbs.vmm.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.vmm.io.wire.ControlRequestMessage;
import io.hyperverbs.vmm.io.wire.FrameRunMessage;
import io.hyperverbs.vmm.io.wire.ManagementReplyMessage;
import io.hyperverbs.vmm.io.wire.ModifySrqMessage;
import io.hyperverbs.vmm.io.wire.RegisterRingMessage;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
        int most = ControlCodec.MAX_RUNS;

        assertThat(ControlCodec.fromWire(ring(most)))
                .isInstanceOfSatisfying(
                        ControlRequest.RegisterRing.class,
                        request -> assertThat(request.runs()).hasSize(most));
        assertThatThrownBy(() -> ControlCodec.fromWire(ring(most + 1)))
                .isInstanceOf(ProtocolViolation.class)
                .hasMessageContaining("at most " + most);
    }

    @Test
    void aModifiedSharedQueueHasAChange() {
        ControlRequestMessage message = ControlRequestMessage.newBuilder()
                .setModifySrq(ModifySrqMessage.newBuilder().setSrq(1))
                .build();

        assertThatThrownBy(() -> ControlCodec.fromWire(message))
                .isInstanceOf(ProtocolViolation.class)
                .hasMessageContaining("without a change");
    }

    @Test
    void anAnswerOfManagementSaysSomething() {
        ManagementReplyMessage nothing = ManagementReplyMessage.getDefaultInstance();

        assertThatThrownBy(() -> ManagementReplyCodec.fromWire(nothing)).isInstanceOf(ProtocolViolation.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void runsHaveFrames(long count) {
        assertThatThrownBy(() -> new FrameRun(1, count)).isInstanceOf(ProtocolViolation.class);
    }

    /** What only asks is not written to the journal, so that nothing else may be called so. */
    @Test
    void queriesOfManagementAreThoseThatChangeNothing() {
        Set<String> queries = new TreeSet<>();
        for (Class<?> kind : ManagementRequest.class.getPermittedSubclasses()) {
            if (of(kind).isQuery()) {
                queries.add(kind.getSimpleName());
            }
        }

        assertThat(queries).containsExactly("QueryGroup", "QueryOwnGid", "QueryPath", "QueryServices", "TakeEvents");
    }

    private static ManagementRequest of(Class<?> kind) {
        return ManagementCodecTest.requests()
                .filter(kind::isInstance)
                .findFirst()
                .orElseThrow(() -> new AssertionError(kind));
    }
}
