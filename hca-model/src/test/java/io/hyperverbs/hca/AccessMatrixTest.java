package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.AccessRun.Target;
import io.hyperverbs.lab.conformance.access.AccessOracle;
import io.hyperverbs.lab.conformance.rig.Operation;
import java.util.LinkedHashSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The whole access matrix through the engine: every operation, all rights of queue pair and key,
 * both PDs, regions and windows, and ranges about each border, 0 and 2^64. What comes of it is what
 * {@link AccessOracle} says, and not a byte changes elsewhere.
 */
class AccessMatrixTest {
    private static final int SIZE = AccessRun.SIZE;
    // An ordinary address, one that ends at 2^64, and one from 0.
    private static final long[] BASES = {0x7f00_0000_1000L, -SIZE, 0};

    @ParameterizedTest
    @EnumSource(Operation.class)
    void agreesWithTheOracle(Operation act) {
        AccessRun run = new AccessRun();
        int attempts = 0;
        int successes = 0;
        for (Target target : Target.values()) {
            for (long base : BASES) {
                for (int rights = 0; rights < 16; rights++) {
                    for (boolean samePd : new boolean[] {true, false}) {
                        if (!exists(target, rights, samePd)) {
                            continue;
                        }
                        AccessRun.Key key = run.open(target, rights, samePd, base);
                        for (int qpRights = 0; qpRights < 16; qpRights += 2) {
                            run.restart(key, qpRights);
                            for (Range range : ranges(act, base)) {
                                successes += run.attempt(act, key, qpRights, range.address, range.length) ? 1 : 0;
                                attempts++;
                            }
                        }
                        run.close(key);
                    }
                }
            }
        }
        assertThat(successes).isPositive().isLessThan(attempts);
    }

    private record Range(long address, int length) {}

    // A window is bound through a queue pair of its own PD; local write is for regions alone.
    private static boolean exists(Target target, int rights, boolean samePd) {
        if (target != Target.REGION) {
            return samePd && (rights & 1) == 0;
        }
        return AccessOracle.mayRegister(rights);
    }

    /** Addresses and lengths about each border, and far from all of them. */
    private static Set<Range> ranges(Operation act, long base) {
        Set<Range> ranges = new LinkedHashSet<>();
        int length = act.isAtomic() ? 8 : 16;
        ranges.add(new Range(base, length));
        ranges.add(new Range(base + SIZE - length, length));
        ranges.add(new Range(base + SIZE - length + 8, length));
        ranges.add(new Range(base + SIZE, length));
        ranges.add(new Range(base - 8, length));
        ranges.add(new Range(base + Long.MIN_VALUE, length));
        ranges.add(new Range(-8, length));
        if (!act.isAtomic()) {
            ranges.add(new Range(base, SIZE));
            ranges.add(new Range(base, SIZE + 8));
            ranges.add(new Range(base - 8, SIZE + 8));
            ranges.add(new Range(base, 0));
            ranges.add(new Range(base + Long.MIN_VALUE, 0));
        }
        return ranges;
    }
}
