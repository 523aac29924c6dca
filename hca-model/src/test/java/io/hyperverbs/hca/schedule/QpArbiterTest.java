package io.hyperverbs.hca.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class QpArbiterTest {
    private final QpArbiter arbiter = new QpArbiter(64);
    private final DomainShare one = new DomainShare(1);
    private final DomainShare two = new DomainShare(2);
    private final long[] spent = new long[64];

    /** Turns of queue pairs that always have more, each costing so much a step. */
    private void busy(int turns, DomainShare[] owners, long[] stepCost) {
        for (int i = 0; i < turns; i++) {
            int index = arbiter.take(0);
            long cost = 0;
            while (cost < QpArbiter.SLICE_NANOS) {
                cost += stepCost[index];
            }
            spent[index] += cost;
            arbiter.add(owners[index], index);
            arbiter.charge(cost, 0, 0);
        }
    }

    @Test
    void sharesByWeight() {
        two.weight(3);
        arbiter.add(one, 0);
        arbiter.add(two, 1);

        busy(4000, new DomainShare[] {one, two}, new long[] {65536 + 1024, 65536 + 1024});

        assertThat((double) spent[1] / spent[0]).isBetween(2.9, 3.1);
    }

    @Test
    void sizeOfStepsDoesNotMatter() {
        arbiter.add(one, 0);
        arbiter.add(two, 1);

        busy(4000, new DomainShare[] {one, two}, new long[] {1032, 65536 + 1024});

        assertThat((double) spent[1] / spent[0]).isBetween(0.95, 1.05);
    }

    @Test
    void manyQueuePairsOfADomainGetNoMoreThanOne() {
        DomainShare[] owners = new DomainShare[33];
        long[] costs = new long[33];
        for (int i = 0; i < 33; i++) {
            owners[i] = i < 32 ? one : two;
            costs[i] = 2048;
            arbiter.add(owners[i], i);
        }

        busy(6600, owners, costs);

        long many = 0;
        for (int i = 0; i < 32; i++) {
            many += spent[i];
            assertThat(spent[i]).isPositive();
        }
        assertThat((double) many / spent[32]).isBetween(0.95, 1.05);
    }

    @Test
    void servesADomainsQueuePairsInTurn() {
        arbiter.add(one, 3);
        arbiter.add(one, 1);
        arbiter.add(one, 3);
        arbiter.add(two, 2);
        List<Integer> order = new ArrayList<>();
        for (int index = arbiter.take(0); index >= 0; index = arbiter.take(0)) {
            order.add(index);
            arbiter.charge(64, 0, 0);
        }

        assertThat(order).containsExactly(2, 3, 1);
        assertThat(arbiter.isIdle()).isTrue();
    }

    @Test
    void forgetsWhatIsRemovedAnywhere() {
        for (int removed = 0; removed < 6; removed++) {
            for (int i = 0; i < 6; i++) {
                arbiter.add(i < 3 ? one : two, i);
            }
            arbiter.remove(removed < 3 ? one : two, removed);
            List<Integer> order = new ArrayList<>();
            for (int index = arbiter.take(0); index >= 0; index = arbiter.take(0)) {
                order.add(index);
                arbiter.charge(64, 0, 0);
            }
            assertThat(order).hasSize(5).doesNotContain(removed);
        }
        arbiter.add(two, 9);
        arbiter.add(one, 8);
        arbiter.remove(one, 8);
        arbiter.remove(two, 9);
        assertThat(arbiter.take(0)).isEqualTo(QpArbiter.NOBODY);
    }

    @Test
    void whoRestedCatchesUpAndNoMore() {
        arbiter.add(one, 0);
        busy(10_000, new DomainShare[] {one, two}, new long[] {1000, 1000});
        arbiter.add(two, 1);
        spent[0] = 0;

        busy(10_000, new DomainShare[] {one, two}, new long[] {1000, 1000});

        assertThat(spent[1] - spent[0])
                .isBetween(QpArbiter.MAX_LAG_NANOS, QpArbiter.MAX_LAG_NANOS + 2 * QpArbiter.SLICE_NANOS);
    }

    @Test
    void whoCatchesUpLeavesTurnsToOthersButNotToDebtors() {
        DomainShare debtor = new DomainShare(3);
        DomainShare[] owners = {one, two, debtor};
        long[] costs = {1000, 1000, 1000};
        arbiter.add(one, 0);
        busy(10_000, owners, costs);
        arbiter.chargeFixed(debtor, QpArbiter.MAX_LAG_NANOS + QpArbiter.MAX_LEAD_NANOS);
        arbiter.add(debtor, 2);
        arbiter.add(two, 1);
        // The first is what it has for coming.
        busy(1, owners, costs);
        Arrays.fill(spent, 0);

        busy(8 * (QpArbiter.CATCH_UP_TIMES + 1), owners, costs);

        assertThat(spent[0]).isEqualTo(8 * QpArbiter.SLICE_NANOS);
        assertThat(spent[1]).isEqualTo(8 * QpArbiter.CATCH_UP_TIMES * QpArbiter.SLICE_NANOS);
        assertThat(spent[2]).isZero();
    }

    @Test
    void othersAreDueWhatIsDoneForADomainOutsideOfItsTurns() {
        DomainShare idle = new DomainShare(3);
        assertThat(arbiter.chargeFixed(idle, 600)).as("nobody else is there").isZero();

        two.weight(4);
        arbiter.add(one, 0);
        arbiter.add(two, 1);

        assertThat(arbiter.chargeFixed(idle, 600)).as("two of weights 1 and 4").isEqualTo(5 * 600);
        assertThat(arbiter.chargeFixed(one, 600))
                .as("the other one of weight 4")
                .isEqualTo(4 * 600);
        assertThat(arbiter.chargeFixed(two, 600))
                .as("the other one of weight 1")
                .isEqualTo(600 / 4);
    }

    @Test
    void aDomainThatWasDueItselfOwesNothing() {
        arbiter.add(one, 0);
        busy(10_000, new DomainShare[] {one}, new long[] {1000});

        assertThat(arbiter.chargeFixed(two, QpArbiter.MAX_LAG_NANOS)).isZero();
        assertThat(arbiter.chargeFixed(two, 500)).isEqualTo(500);
    }

    @Test
    void whoComesCutsInUnlessItIsFarAheadOrInLine() {
        assertThat(arbiter.isNewcomer(two)).isTrue();
        arbiter.chargeFixed(two, QpArbiter.SLICE_NANOS - 1);
        assertThat(arbiter.isNewcomer(two)).isTrue();
        arbiter.chargeFixed(two, 1);
        assertThat(arbiter.isNewcomer(two)).isFalse();
        assertThat(arbiter.isNewcomer(one)).isTrue();
        arbiter.add(one, 0);
        assertThat(arbiter.isNewcomer(one)).isFalse();
    }

    @Test
    void tagsMayWrapRound() {
        arbiter.add(one, 0);
        arbiter.add(two, 1);
        arbiter.remove(two, 1);
        // What the tag of the other loses sight of: more than half of all tags.
        for (int i = 0; i < 4; i++) {
            int index = arbiter.take(0);
            arbiter.add(one, index);
            arbiter.charge(i < 3 ? Long.MAX_VALUE >> 17 : 1000, 0, 0);
        }
        arbiter.add(two, 1);

        long behind = 0;
        while (behind <= QpArbiter.MAX_LEAD_NANOS) {
            int index = arbiter.take(0);
            arbiter.add(index == 0 ? one : two, index);
            arbiter.charge(1000, 0, 0);
            if (index == 1) {
                break;
            }
            behind += 1000;
        }

        assertThat(behind).isLessThanOrEqualTo(QpArbiter.MAX_LEAD_NANOS);
        busy(4000, new DomainShare[] {one, two}, new long[] {1000, 1000});
        assertThat((double) spent[1] / spent[0]).isBetween(0.9, 1.1);
    }

    @Test
    void isSharedUntilOneDomainHasHadManyTurnsInARow() {
        arbiter.add(one, 0);
        arbiter.add(two, 1);
        busy(4, new DomainShare[] {one, two}, new long[] {2048, 2048});
        assertThat(arbiter.isSharedLately()).isTrue();

        arbiter.remove(two, 1);
        busy(60, new DomainShare[] {one, two}, new long[] {2048, 2048});
        assertThat(arbiter.isSharedLately()).isTrue();
        busy(1000, new DomainShare[] {one, two}, new long[] {2048, 2048});
        assertThat(arbiter.isSharedLately()).isFalse();

        arbiter.add(two, 1);
        busy(2, new DomainShare[] {one, two}, new long[] {2048, 2048});
        assertThat(arbiter.isSharedLately()).isTrue();
    }
}
