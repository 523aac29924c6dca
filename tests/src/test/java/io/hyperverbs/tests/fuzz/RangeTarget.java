package io.hyperverbs.tests.fuzz;

import io.hyperverbs.hca.tpt.RangeCheck;
import java.math.BigInteger;

/** The range check against numbers that cannot wrap. */
final class RangeTarget implements FuzzTarget {
    private static final BigInteger END = BigInteger.ONE.shiftLeft(64);

    @Override
    public void play(Input input) {
        int form = input.nextByte();
        long base = edge(input, form & 3, 0);
        long size = edge(input, form >> 2 & 3, base);
        long address = edge(input, form >> 4 & 3, base + size);
        long length = edge(input, form >> 6 & 3, size - (address - base));
        BigInteger start = number(base);
        BigInteger end = start.add(number(size));
        if (end.compareTo(END) > 0) {
            return; // no region wraps: RegionCheck refuses it
        }
        BigInteger from = number(address);
        BigInteger to = from.add(number(length));
        boolean within = from.compareTo(start) >= 0 && to.compareTo(end) <= 0;
        // The end of a region that reaches 2^64 is address 0; no bytes there are no harm.
        within |= length == 0 && address == base + size;
        if (RangeCheck.isWithin(base, size, address, length) != within) {
            throw new AssertionError("base %x, size %x, address %x, length %x: must be %s"
                    .formatted(base, size, address, length, within));
        }
    }

    /** Any number, a small one, or one near {@code near}. */
    private static long edge(Input input, int form, long near) {
        return switch (form) {
            case 0 -> input.nextLong();
            case 1 -> input.nextByte();
            case 2 -> near + (byte) input.nextByte();
            default -> Long.MIN_VALUE >> input.nextByte();
        };
    }

    private static BigInteger number(long unsigned) {
        return new BigInteger(Long.toUnsignedString(unsigned));
    }
}
