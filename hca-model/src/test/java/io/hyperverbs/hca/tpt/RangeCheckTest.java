package io.hyperverbs.hca.tpt;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * The range check against arithmetic that cannot wrap: 65 536 combinations of edges, and random
 * ones, a million or {@code -Drange.checks}.
 */
class RangeCheckTest {
    private static final long RANDOM_CHECKS = Long.getLong("range.checks", 1_000_000);
    private static final long[] BOUNDARY = {
        0,
        1,
        2,
        7,
        0x3ff,
        0x400,
        0x7fff_ffffL,
        0x8000_0000L,
        0xffff_ffffL,
        0x1_0000_0000L,
        Long.MAX_VALUE - 1,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        0xffff_ffff_ffff_fc00L,
        -2,
        -1
    };

    private static BigInteger unsigned(long value) {
        return new BigInteger(Long.toUnsignedString(value));
    }

    /** For regions that do not wrap, as every registered one. */
    private static boolean expected(long base, long size, long address, long length) {
        // The end of a region that reaches 2^64 is address 0; no bytes there are no harm.
        if (length == 0 && address == base + size) {
            return true;
        }
        BigInteger start = unsigned(address);
        return start.compareTo(unsigned(base)) >= 0
                && start.add(unsigned(length)).compareTo(unsigned(base).add(unsigned(size))) <= 0;
    }

    private static boolean wraps(long base, long size) {
        return unsigned(base).add(unsigned(size)).bitLength() > 64
                && !unsigned(base).add(unsigned(size)).equals(BigInteger.ONE.shiftLeft(64));
    }

    private static void check(long base, long size, long address, long length) {
        if (wraps(base, size)) {
            return;
        }
        assertThat(RangeCheck.isWithin(base, size, address, length))
                .as("base %x, size %x, address %x, length %x", base, size, address, length)
                .isEqualTo(expected(base, size, address, length));
    }

    @Test
    void agreesWithBigIntegerOnAllBoundaries() {
        for (long base : BOUNDARY) {
            for (long size : BOUNDARY) {
                for (long address : BOUNDARY) {
                    for (long length : BOUNDARY) {
                        check(base, size, address, length);
                    }
                }
            }
        }
    }

    @Test
    void agreesWithBigIntegerOnAMillionRandomRanges() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        try {
            for (long i = 0; i < RANDOM_CHECKS; i++) {
                long base = random.nextLong() >>> random.nextInt(64);
                long size = random.nextLong() >>> random.nextInt(64);
                long address = near(random, base, size);
                long length = random.nextBoolean() ? near(random, size, 0) : random.nextLong();
                if (!wraps(base, size)) {
                    boolean answer = RangeCheck.isWithin(base, size, address, length);
                    if (answer != expected(base, size, address, length)) {
                        check(base, size, address, length);
                    }
                }
            }
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    // Most of the interest lies within a few bytes of an edge.
    private static long near(SplittableRandom random, long base, long size) {
        return switch (random.nextInt(3)) {
            case 0 -> base + random.nextInt(-2, 3);
            case 1 -> base + size + random.nextInt(-2, 3);
            default -> random.nextLong();
        };
    }
}
