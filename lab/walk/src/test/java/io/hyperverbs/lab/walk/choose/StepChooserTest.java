package io.hyperverbs.lab.walk.choose;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.walk.model.Effects;
import io.hyperverbs.lab.walk.model.HcaFacts;
import io.hyperverbs.lab.walk.model.Model;
import io.hyperverbs.lab.walk.step.Step;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Walks of the model alone: it is its own device. */
class StepChooserTest {
    private static final HcaFacts HCA = new HcaFacts(1, 2048, 65536, 1024, 16, 256, 16, 1024, 16, 1 << 30);
    private static final int ROUNDS = 60;
    private static final int STEPS = 1000;

    /** An answer that a kind of step was given. */
    private record Given(Class<? extends Step> step, VerbsStatus answer) {}

    private final Set<Given> given = new HashSet<>();
    private final Set<VerbsStatus> answers = EnumSet.noneOf(VerbsStatus.class);
    private final Set<VerbsStatus> sends = EnumSet.noneOf(VerbsStatus.class);
    private final Set<VerbsStatus> receives = EnumSet.noneOf(VerbsStatus.class);
    private final Set<WorkCompletion.Opcode> opcodes = EnumSet.noneOf(WorkCompletion.Opcode.class);
    private final Set<AsyncEvent.Type> events = EnumSet.noneOf(AsyncEvent.Type.class);
    private final Set<QpState> states = EnumSet.noneOf(QpState.class);

    /** Of requests and receives of UC. */
    private final Set<VerbsStatus> unreliable = EnumSet.noneOf(VerbsStatus.class);

    /** The same of UD. */
    private final Set<VerbsStatus> datagrams = EnumSet.noneOf(VerbsStatus.class);

    /** Datagrams that were taken. */
    private int letters;

    private int silent;

    /** Windows that messages ended. */
    private int ended;

    @Test
    void reachesEveryOutcomeOfReliableConnections() {
        for (int seed = 0; seed < ROUNDS; seed++) {
            walk(seed, 1 + seed % 4);
        }

        assertThat(answers)
                .containsExactlyInAnyOrder(
                        VerbsStatus.SUCCESS,
                        VerbsStatus.EINVAL,
                        VerbsStatus.EBUSY,
                        VerbsStatus.EAGAIN,
                        VerbsStatus.EPERM,
                        VerbsStatus.ENOMEM);
        assertThat(sends)
                .contains(
                        VerbsStatus.SUCCESS,
                        VerbsStatus.LOC_LEN_ERR,
                        VerbsStatus.LOC_QP_OP_ERR,
                        VerbsStatus.LOC_PROT_ERR,
                        VerbsStatus.WR_FLUSH_ERR,
                        VerbsStatus.REM_ACCESS_ERR,
                        VerbsStatus.REM_INV_REQ_ERR,
                        VerbsStatus.REM_OP_ERR,
                        VerbsStatus.RETRY_EXC_ERR,
                        VerbsStatus.RNR_RETRY_EXC_ERR);
        assertThat(receives)
                .contains(
                        VerbsStatus.SUCCESS,
                        VerbsStatus.LOC_LEN_ERR,
                        VerbsStatus.LOC_PROT_ERR,
                        VerbsStatus.LOC_ACCESS_ERR,
                        VerbsStatus.WR_FLUSH_ERR);
        assertThat(opcodes)
                .contains(
                        WorkCompletion.Opcode.SEND,
                        WorkCompletion.Opcode.RDMA_WRITE,
                        WorkCompletion.Opcode.RDMA_READ,
                        WorkCompletion.Opcode.COMP_SWAP,
                        WorkCompletion.Opcode.FETCH_ADD,
                        WorkCompletion.Opcode.RECV,
                        WorkCompletion.Opcode.RECV_RDMA_WITH_IMM);
        assertThat(events)
                .contains(
                        AsyncEvent.Type.COMM_EST,
                        AsyncEvent.Type.SQ_DRAINED,
                        AsyncEvent.Type.QP_ACCESS_ERR,
                        AsyncEvent.Type.QP_REQ_ERR,
                        AsyncEvent.Type.SRQ_LIMIT_REACHED,
                        AsyncEvent.Type.QP_LAST_WQE_REACHED);
        assertThat(states).isEqualTo(EnumSet.allOf(QpState.class));
        assertThat(silent).isPositive();
    }

    @Test
    void usesSharedReceiveQueuesInEveryWay() {
        for (int seed = 0; seed < ROUNDS; seed++) {
            walk(seed, 1 + seed % 4);
        }

        assertThat(given)
                .contains(
                        new Given(Step.OpenSrq.class, VerbsStatus.EINVAL),
                        new Given(Step.OpenSrq.class, VerbsStatus.EAGAIN),
                        new Given(Step.PostShared.class, VerbsStatus.SUCCESS),
                        new Given(Step.PostShared.class, VerbsStatus.EINVAL),
                        new Given(Step.PostShared.class, VerbsStatus.ENOMEM),
                        new Given(Step.ArmLimit.class, VerbsStatus.SUCCESS),
                        new Given(Step.ArmLimit.class, VerbsStatus.EINVAL),
                        new Given(Step.Resize.class, VerbsStatus.SUCCESS),
                        new Given(Step.Resize.class, VerbsStatus.EINVAL),
                        new Given(Step.QuerySrq.class, VerbsStatus.SUCCESS));
    }

    @Test
    void tellsNothingOfWhatUnreliableConnectionsDrop() {
        for (int seed = 0; seed < ROUNDS; seed++) {
            walk(seed, 1 + seed % 4);
        }

        assertThat(unreliable)
                .contains(
                        VerbsStatus.SUCCESS,
                        VerbsStatus.LOC_QP_OP_ERR,
                        VerbsStatus.LOC_PROT_ERR,
                        VerbsStatus.LOC_LEN_ERR,
                        VerbsStatus.MW_BIND_ERR,
                        VerbsStatus.WR_FLUSH_ERR)
                .doesNotContain(
                        VerbsStatus.REM_ACCESS_ERR,
                        VerbsStatus.REM_INV_REQ_ERR,
                        VerbsStatus.REM_OP_ERR,
                        VerbsStatus.RETRY_EXC_ERR,
                        VerbsStatus.RNR_RETRY_EXC_ERR);
    }

    @Test
    void deliversAndDropsDatagrams() {
        for (int seed = 0; seed < ROUNDS; seed++) {
            walk(seed, 1 + seed % 4);
        }

        assertThat(given)
                .contains(
                        new Given(Step.OpenAh.class, VerbsStatus.SUCCESS),
                        new Given(Step.OpenAh.class, VerbsStatus.EINVAL),
                        new Given(Step.OpenAh.class, VerbsStatus.EAGAIN));
        assertThat(datagrams)
                .containsExactlyInAnyOrder(
                        VerbsStatus.SUCCESS,
                        VerbsStatus.LOC_QP_OP_ERR,
                        VerbsStatus.LOC_PROT_ERR,
                        VerbsStatus.LOC_LEN_ERR,
                        VerbsStatus.WR_FLUSH_ERR);
        assertThat(letters).isPositive();
    }

    @Test
    void usesMemoryWindowsInEveryWay() {
        for (int seed = 0; seed < ROUNDS; seed++) {
            walk(seed, 1 + seed % 4);
        }

        assertThat(given)
                .contains(
                        new Given(Step.OpenWindow.class, VerbsStatus.SUCCESS),
                        new Given(Step.OpenWindow.class, VerbsStatus.EAGAIN),
                        new Given(Step.Bind.class, VerbsStatus.SUCCESS),
                        new Given(Step.Bind.class, VerbsStatus.EINVAL),
                        new Given(Step.Bind.class, VerbsStatus.EPERM));
        assertThat(sends).contains(VerbsStatus.MW_BIND_ERR);
        assertThat(opcodes).contains(WorkCompletion.Opcode.BIND_MW, WorkCompletion.Opcode.LOCAL_INV);
        assertThat(ended).isPositive();
    }

    @Test
    void sameSeedGivesSameSteps() {
        List<Step> first = walk(7, 2);

        assertThat(walk(7, 2)).isEqualTo(first);
        assertThat(walk(8, 2)).isNotEqualTo(first);
    }

    private List<Step> walk(long seed, int domains) {
        Model model = new Model(HCA, Collections.nCopies(domains, HCA.lid()));
        StepSource source = new StepChooser(seed);
        List<Step> made = new ArrayList<>();
        for (long wrId = 1; made.size() < STEPS; wrId += 100) {
            Step step = model.resolve(source.next(model).orElseThrow());
            Optional<VerbsStatus> answer = model.predict(step);
            answer.ifPresent(answers::add);
            if (answer.isEmpty()) {
                continue;
            }
            made.add(step);
            given.add(new Given(step.getClass(), answer.get()));
            if (answer.get() == VerbsStatus.SUCCESS) {
                note(model, model.commit(step, wrId));
                grant(model, step);
            }
        }
        return made;
    }

    /** As a device does that rounds up. */
    private static void grant(Model model, Step step) {
        switch (step) {
            case Step.OpenQp s -> model.granted(s.qp(), 16, s.receives() == 0 ? 0 : 16);
            case Step.OpenSrq s -> model.granted(s.srq(), 16);
            case Step.Resize s -> model.granted(s.srq(), Math.max(16, s.receives()));
            default -> {}
        }
    }

    private void note(Model model, Effects effects) {
        effects.completions().forEach(one -> {
            (one.receive() ? receives : sends).addAll(one.statuses());
            letters += one.source() == null ? 0 : 1;
            if (one.qp().type() == QpType.UD) {
                datagrams.addAll(one.statuses());
            }
            if (one.qp().type() == QpType.UC) {
                unreliable.addAll(one.statuses());
            }
            ended += one.ended() == null ? 0 : 1;
            if (one.statuses().contains(VerbsStatus.SUCCESS)) {
                opcodes.add(one.opcode());
            }
        });
        effects.events().forEach(one -> events.add(one.type()));
        silent += effects.silent().size();
        for (int slot = 0; slot < io.hyperverbs.lab.walk.step.Slots.QPS; slot++) {
            var qp = model.objects().qp(slot);
            if (qp != null) {
                states.add(qp.state());
            }
        }
    }
}
