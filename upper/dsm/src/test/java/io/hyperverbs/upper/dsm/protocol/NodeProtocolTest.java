package io.hyperverbs.upper.dsm.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.upper.dsm.protocol.ProtocolNodes.Fault;
import io.hyperverbs.upper.dsm.protocol.ProtocolNodes.Node;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class NodeProtocolTest {
    private static final int STEPS = 20_000;
    private static final int MINIPAGES = 3;

    /** What was written last, by whom and when it may be seen: the memory that all nodes should have together. */
    private final long[] model = new long[MINIPAGES];

    private long accesses;

    /** Steps of nodes and network in any order; each load must find what the last store has left. */
    private void walk(int count, boolean readersFetch, Fault fault, long seed) {
        ProtocolNodes all = new ProtocolNodes(count, MINIPAGES, readersFetch, fault, seed);
        Arrays.fill(model, 0);
        SplittableRandom random = new SplittableRandom(seed + 1);
        for (int step = 0; step < STEPS; step++) {
            if (random.nextInt(3) > 0) {
                all.deliverOne();
            } else {
                act(all.nodes.get(random.nextInt(count)), random);
            }
            check(all);
        }
        // What is under way comes to an end, and nobody waits for ever.
        for (int step = 0; step < STEPS && isBusy(all); step++) {
            all.deliverOne();
            all.nodes.forEach(this::finish);
        }
        assertThat(isBusy(all)).as("a node waits for ever").isFalse();
    }

    private static boolean isBusy(ProtocolNodes all) {
        return all.nodes.stream().anyMatch(node -> node.waits);
    }

    private void act(Node node, SplittableRandom random) {
        if (node.waits) {
            finish(node);
            return;
        }
        int minipage = random.nextInt(MINIPAGES);
        boolean write = random.nextBoolean();
        if (node.mayAccess(minipage, write)) {
            access(node, minipage, write);
        } else {
            node.request(minipage, write);
        }
    }

    private void finish(Node node) {
        if (node.isAnswered()) {
            assertThat(node.mayAccess(node.wanted, node.isWrite)).as("granted").isTrue();
            access(node, node.wanted, node.isWrite);
            node.done();
        }
    }

    private void access(Node node, int minipage, boolean write) {
        accesses++;
        if (write) {
            node.memory[minipage] = accesses;
            model[minipage] = accesses;
        } else {
            assertThat(node.memory[minipage])
                    .as("what node %d reads", node.number)
                    .isEqualTo(model[minipage]);
        }
    }

    private static void check(ProtocolNodes all) {
        for (int minipage = 0; minipage < MINIPAGES; minipage++) {
            int[] count = all.writersAndReaders(minipage);
            assertThat(count[0] == 0 || count[0] == 1 && count[1] == 0)
                    .as("%d writers and %d readers of minipage %d", count[0], count[1], minipage)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"1, false", "2, false", "2, true", "3, false", "3, true", "5, true", "8, false", "8, true"})
    void eachLoadFindsTheLastStoreInWhateverOrderMessagesArrive(int nodes, boolean readersFetch) {
        for (long seed = 0; seed < 20; seed++) {
            walk(nodes, readersFetch, message -> message, seed);
        }

        assertThat(accesses).isGreaterThan(10_000);
    }

    /** Each breaks one rule; the walk must notice. */
    enum Planted {
        /** A reader keeps its copy, and says that it has dropped it. */
        COPY_IS_KEPT(message -> message.type() == ControlType.INVALIDATE
                ? new ControlMessage(ControlType.LEND_COPY, message.subject(), 0, 0)
                : message),
        WRITER_KEEPS_WRITING(message -> message.type() == ControlType.LEND_COPY
                ? new ControlMessage(ControlType.READ_AT, message.subject(), 0, 0)
                : message),
        INVALIDATION_IS_LOST(message -> message.type() == ControlType.INVALIDATED ? null : message),
        GRANT_IS_TOO_GOOD(message -> message.type() == ControlType.READ_GRANT
                ? ControlMessage.of(ControlType.WRITE_GRANT, message.subject())
                : message),
        END_IS_LOST(message -> message.type() == ControlType.ACCESS_DONE ? null : message);

        private final Fault fault;

        Planted(Fault fault) {
            this.fault = fault;
        }
    }

    @ParameterizedTest
    @EnumSource
    void theWalkNoticesEachPlantedFault(Planted planted) {
        assertThatThrownBy(() -> {
                    for (long seed = 0; seed < 20; seed++) {
                        walk(3, false, planted.fault, seed);
                    }
                })
                .isInstanceOfAny(AssertionError.class, DsmViolation.class);
    }

    @Test
    void messagesThatNoNodeMaySendAreRefused() {
        ProtocolNodes all = new ProtocolNodes(2, 2, false, message -> message, 1);
        NodeProtocol first = all.nodes.getFirst().protocol;

        assertThatThrownBy(() -> first.receive(1, ControlMessage.of(ControlType.READ_REQUEST, 2)))
                .isInstanceOf(DsmViolation.class)
                .hasMessageContaining("there are 2 minipages and 2 nodes");
        assertThatThrownBy(() -> first.receive(1, new ControlMessage(ControlType.LEND_COPY, 0, 7, 0)))
                .isInstanceOf(DsmViolation.class);
        assertThatThrownBy(() -> first.receive(1, ControlMessage.of(ControlType.INVALIDATED, 0)))
                .hasMessageContaining("which it was not asked for");
        assertThatThrownBy(() -> first.receive(1, ControlMessage.of(ControlType.ACCESS_DONE, 0)))
                .hasMessageContaining("which it was not asked for");
        assertThatThrownBy(() -> first.receive(1, ControlMessage.of(ControlType.UNLOCK, 0)))
                .hasMessage("node 1 unlocked lock 0, which it does not hold");
    }
}
