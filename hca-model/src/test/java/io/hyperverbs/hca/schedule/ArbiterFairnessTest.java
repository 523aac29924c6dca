package io.hyperverbs.hca.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Shares of the engine in virtual time: what it spends is the time that passes. */
class ArbiterFairnessTest {
    private static final int MAX_QP = 256;
    private static final long LARGEST_STEP = 2 * 1024 + EngineCost.REQUEST;

    /**
     * What fair queuing in steps may differ from that without, in virtual nanoseconds: a turn of
     * each of two, and the one that who comes is given before the others.
     */
    private static final double NEAR = 3.0 * (LARGEST_STEP + QpArbiter.SLICE_NANOS);

    private final QpArbiter arbiter = new QpArbiter(MAX_QP);
    private final List<Tenant> tenants = new ArrayList<>();
    private long now;
    private Bug bug = Bug.NONE;

    /** What an engine might charge too little for. */
    private enum Bug {
        NONE,
        BYTES_ALONE,
        REQUESTS_ALONE,
        ONE_STEP
    }

    /** A domain with queue pairs and requests that wait in each; all requests are of one size. */
    private static final class Tenant {
        final DomainShare share;
        final int firstQp;
        final long[] waiting;
        final long messageBytes;
        long left;
        long served;

        Tenant(int domain, int weight, int firstQp, int qps, long messageBytes) {
            this.share = new DomainShare(domain);
            share.weight(weight);
            this.firstQp = firstQp;
            this.waiting = new long[qps];
            this.messageBytes = messageBytes;
        }

        boolean isBacklogged() {
            return left > 0;
        }

        long stepCost() {
            return EngineCost.request(Math.min(messageBytes, 64 * 1024));
        }
    }

    private Tenant tenant(int weight, int qps, long messageBytes) {
        int firstQp = tenants.stream().mapToInt(t -> t.waiting.length).sum();
        Tenant tenant = new Tenant(tenants.size() + 1, weight, firstQp, qps, messageBytes);
        tenants.add(tenant);
        return tenant;
    }

    private void post(Tenant tenant, int qp, long steps) {
        tenant.waiting[qp] += steps;
        tenant.left += steps;
        arbiter.add(tenant.share, tenant.firstQp + qp);
    }

    /** One turn; false if nobody has work. */
    private boolean turn() {
        int index = arbiter.take(now);
        if (index == QpArbiter.NOBODY) {
            return false;
        }
        Tenant tenant = tenants.stream()
                .filter(t -> index >= t.firstQp && index < t.firstQp + t.waiting.length)
                .findFirst()
                .orElseThrow();
        int qp = index - tenant.firstQp;
        long budget = QpArbiter.SLICE_NANOS;
        long spent = 0;
        while (spent < budget && tenant.waiting[qp] > 0) {
            spent += tenant.stepCost();
            tenant.waiting[qp]--;
            tenant.left--;
        }
        if (tenant.waiting[qp] > 0) {
            arbiter.add(tenant.share, index);
        }
        long charged = switch (bug) {
            case NONE -> spent;
            case BYTES_ALONE -> spent / tenant.stepCost() * (tenant.stepCost() - EngineCost.REQUEST);
            case REQUESTS_ALONE -> spent / tenant.stepCost() * EngineCost.REQUEST;
            case ONE_STEP -> Math.min(spent, tenant.stepCost());
        };
        arbiter.charge(Math.max(charged, EngineCost.EMPTY_TURN), charged, 0);
        tenant.served += spent;
        now += spent;
        return true;
    }

    @ParameterizedTest
    @CsvSource({
        // weight, queue pairs and message bytes of each
        "1, 1, 8, 1, 1, 8",
        "1, 1, 8, 3, 1, 8",
        "1, 1, 65536, 3, 1, 65536",
        "1, 1, 8, 1, 64, 8",
        "1, 64, 1048576, 1, 1, 8",
        "1, 1, 8, 1, 1, 1048576",
        "3, 1, 8, 1, 64, 1048576",
        "5, 64, 4096, 2, 1, 65536",
        "100, 1, 8, 1, 1, 65536",
    })
    void backloggedDomainsShareByWeight(int weightA, int qpsA, long bytesA, int weightB, int qpsB, long bytesB) {
        Tenant a = tenant(weightA, qpsA, bytesA);
        Tenant b = tenant(weightB, qpsB, bytesB);
        for (Tenant each : tenants) {
            for (int qp = 0; qp < each.waiting.length; qp++) {
                post(each, qp, 1 << 20);
            }
        }

        while (now < 40_000_000) {
            turn();
        }

        double ratio = (double) a.served / weightA * weightB / b.served;
        assertThat(ratio).isBetween(0.98, 1.02);
    }

    @ParameterizedTest
    @CsvSource({"BYTES_ALONE, 8, 65536", "REQUESTS_ALONE, 8, 65536", "ONE_STEP, 8, 65536"})
    void anEngineThatChargesTooLittleIsSeen(Bug planted, long bytesA, long bytesB) {
        bug = planted;
        Tenant a = tenant(1, 1, bytesA);
        Tenant b = tenant(1, 1, bytesB);
        post(a, 0, 1 << 20);
        post(b, 0, 1 << 20);

        while (now < 10_000_000) {
            turn();
        }

        assertThat((double) a.served / b.served)
                .satisfiesAnyOf(
                        ratio -> assertThat(ratio).isLessThan(0.8),
                        ratio -> assertThat(ratio).isGreaterThan(1.25));
    }

    @Test
    void whatIsDoneOutsideOfTurnsIsTakenOffTheShare() {
        Tenant rings = tenant(1, 1, 8);
        Tenant works = tenant(1, 1, 8);
        post(rings, 0, 1 << 24);
        post(works, 0, 1 << 24);
        long outside = 0;

        while (now < 10_000_000) {
            turn();
            arbiter.chargeFixed(rings.share, EngineCost.DOORBELL);
            outside += EngineCost.DOORBELL;
        }

        assertThat((double) (rings.served + outside) / works.served).isBetween(0.97, 1.03);
    }

    @Test
    void aDomainInDebtWaitsUntilItHasPaidAndNotForEver() {
        Tenant debtor = tenant(1, 1, 8);
        Tenant other = tenant(1, 1, 8);
        arbiter.chargeFixed(debtor.share, 50_000);
        post(debtor, 0, 1 << 20);
        post(other, 0, 1 << 20);

        while (debtor.served == 0) {
            turn();
        }

        assertThat(other.served).isBetween(49_000L, 52_000L);
        for (int i = 0; i < 1000; i++) {
            arbiter.chargeFixed(debtor.share, 50_000);
        }
        long before = other.served;
        long atRest = debtor.served;
        while (debtor.served == atRest) {
            turn();
        }
        assertThat(other.served - before).isLessThan(QpArbiter.MAX_LEAD_NANOS + 2 * QpArbiter.SLICE_NANOS);
    }

    @Test
    void aloneADebtCostsNothing() {
        Tenant debtor = tenant(1, 1, 8);
        arbiter.chargeFixed(debtor.share, 90_000);
        post(debtor, 0, 1);

        assertThat(turn()).isTrue();
        assertThat(turn()).isFalse();
        assertThat(arbiter.isIdle()).isTrue();
    }

    @Test
    void whoComesGoesNext() {
        for (int i = 0; i < 4; i++) {
            post(tenant(1, 8, 8), 0, 1 << 20);
        }
        Tenant comes = tenant(1, 1, 8);
        for (int i = 0; i < 100; i++) {
            for (int turns = 0; turns < 7 + i; turns++) {
                turn();
            }
            long before = now;
            post(comes, 0, 1);
            while (comes.isBacklogged()) {
                turn();
            }
            assertThat(now - before).isEqualTo(comes.stepCost());
        }
    }

    @Test
    void whoIsAwayInTurnsOfACoreGetsItsHalf() {
        Tenant stays = tenant(1, 1, 8);
        Tenant comes = tenant(1, 1, 8);
        post(stays, 0, 1 << 24);
        for (int round = 0; round < 100; round++) {
            // It has the core, posts, and has it again 20 us after all is done.
            post(comes, 0, 20_000 / comes.stepCost());
            while (comes.isBacklogged()) {
                turn();
            }
            long done = now;
            while (now - done < 20_000) {
                turn();
            }
        }

        // While it catches up each eighth turn is the other's.
        assertThat((double) comes.served / stays.served).isBetween(0.85, 1.05);
    }

    /** Turns on a core of 4 ms, and never more under way than the engine does in 100 us. */
    @Test
    void whoHasACoreHalfOfTheTimeGetsItsHalfOfTheEngine() {
        Tenant stays = tenant(1, 1, 8);
        Tenant comes = tenant(1, 1, 8);
        post(stays, 0, 1 << 24);
        while (now < 400_000_000) {
            if (now / 4_000_000 % 2 == 0 && comes.left * comes.stepCost() < 100_000) {
                post(comes, 0, 10_000 / comes.stepCost());
            }
            turn();
        }

        assertThat((double) comes.served / now).isBetween(0.43, 0.51);
    }

    /** Until all others have as much credit as there is; it has work for ever. */
    private void runAlone(Tenant tenant) {
        post(tenant, 0, 1 << 24);
        while (now < 2 * QpArbiter.MAX_LAG_NANOS) {
            turn();
        }
    }

    @Test
    void nobodyWaitsLongForOneThatCatchesUp() {
        Tenant stays = tenant(1, 1, 8);
        Tenant comes = tenant(1, 1, 8);
        Tenant passes = tenant(1, 1, 8);
        runAlone(stays);
        long atFirst = stays.served;
        post(comes, 0, 1 << 24);
        for (int i = 0; i < 100; i++) {
            long before = now;
            long atComing = stays.served;
            while (stays.served == atComing) {
                turn();
            }
            assertThat(now - before).isLessThan((QpArbiter.CATCH_UP_TIMES + 1) * 2 * QpArbiter.SLICE_NANOS);
            before = now;
            post(passes, 0, 1);
            while (passes.isBacklogged()) {
                turn();
            }
            assertThat(now - before).as("next, whoever catches up").isEqualTo(passes.stepCost());
        }
        assertThat(comes.served).isGreaterThan(4 * (stays.served - atFirst));
    }

    @Test
    void whoComesAgainAndAgainLeavesHalfToWhoCatchesUp() {
        Tenant stays = tenant(1, 1, 8);
        Tenant late = tenant(1, 1, 8);
        Tenant comes = tenant(1, 1, 8);
        runAlone(stays);
        post(late, 0, 1 << 24);
        long before = now;
        while (now - before < QpArbiter.MAX_LAG_NANOS) {
            if (!comes.isBacklogged()) {
                // As much as a turn holds, and back before the other's next one has ended.
                post(comes, 0, QpArbiter.SLICE_NANOS / comes.stepCost());
            }
            turn();
        }

        assertThat((double) late.served / comes.served).isGreaterThan(0.9);
    }

    /**
     * In fluid fair queuing two domains that both have work get service in proportion to their
     * weights at every instant. Here they may differ by a bounded amount, however long they go on,
     * by what one of them is ahead of the other, with its credit, when they begin, and by what one
     * of them is left while a third catches up with the other: a seventh of what the third has, and
     * as much when it comes again and again.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void randomTrafficStaysNearTheFluidModel(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int count = random.nextInt(2, 7);
        for (int i = 0; i < count; i++) {
            long bytes = 1L << random.nextInt(3, 21);
            tenant(random.nextInt(1, 6), 1 << random.nextInt(0, 5), bytes);
        }
        double[][] lowest = new double[count][count];
        double[][] highest = new double[count][count];
        double[][] lead = new double[count][count];
        double[][] credit = new double[count][count];
        double[][] bound = new double[count][count];
        for (int step = 0; step < 60_000; step++) {
            if (random.nextInt(4) == 0) {
                Tenant who = tenants.get(random.nextInt(count));
                post(who, random.nextInt(who.waiting.length), random.nextInt(1, 40));
            }
            long[] before = tenants.stream().mapToLong(t -> t.served).toArray();
            boolean[] busy = new boolean[count];
            double widest = 0;
            for (int i = 0; i < count; i++) {
                busy[i] = tenants.get(i).isBacklogged();
                for (int j = 0; j < i; j++) {
                    if (busy[i] && busy[j]) {
                        widest = Math.max(widest, apart(i, j));
                        if (bound[i][j] == 0) {
                            credit[i][j] = apart(i, j);
                        }
                    }
                }
            }
            assertThat(widest).isLessThan(NEAR + QpArbiter.MAX_LAG_NANOS);
            boolean worked = turn();
            boolean hadWork = false;
            for (boolean one : busy) {
                hadWork |= one;
            }
            assertThat(worked).as("seed %d: works while there is work", seed).isEqualTo(hadWork);
            for (int i = 0; i < count; i++) {
                for (int j = 0; j < i; j++) {
                    if (!busy[i] || !busy[j]) {
                        lead[i][j] = 0;
                        bound[i][j] = 0;
                        lowest[i][j] = 0;
                        highest[i][j] = 0;
                        continue;
                    }
                    double left = widest * (1.0 / QpArbiter.CATCH_UP_TIMES + 1);
                    bound[i][j] = Math.max(bound[i][j], NEAR + credit[i][j] + left);
                    lead[i][j] += gain(i, before) - gain(j, before);
                    lowest[i][j] = Math.min(lowest[i][j], lead[i][j]);
                    highest[i][j] = Math.max(highest[i][j], lead[i][j]);
                    assertThat(highest[i][j] - lowest[i][j])
                            .as("seed %d, domains %d and %d", seed, i, j)
                            .isLessThan(bound[i][j]);
                }
            }
        }
    }

    /** Virtual nanoseconds between the tags of two. */
    private double apart(int i, int j) {
        long tags = tenants.get(i).share.tag - tenants.get(j).share.tag;
        return Math.abs((double) tags) / (1L << DomainShare.TAG_SHIFT);
    }

    private double gain(int i, long[] before) {
        Tenant tenant = tenants.get(i);
        return (double) (tenant.served - before[i]) / tenant.share.weight();
    }
}
