package io.hyperverbs.hca.wire;

/**
 * Undoes zero bytes in a CRC-32 without initial value and final inversion, in which feeding a zero
 * byte multiplies by x^8 modulo the polynomial. Bit 31 of a value is x^0, as in {@link
 * java.util.zip.CRC32}. Stateless.
 */
final class CrcRewind {
    private static final int POLYNOMIAL = 0xedb8_8320;
    private static final int ONE = 1 << 31;

    /** By number of zero bytes k: x^-8k. */
    private final int[] factors;

    CrcRewind(int maxZeroBytes) {
        factors = new int[maxZeroBytes + 1];
        factors[0] = ONE;
        for (int k = 1; k < factors.length; k++) {
            int factor = factors[k - 1];
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                factor = divideByX(factor);
            }
            factors[k] = factor;
        }
    }

    /** What {@code crc} was before so many zero bytes, at most as many as were said at first. */
    int before(int crc, int zeroBytes) {
        return multiply(factors[zeroBytes], crc);
    }

    private static int multiply(int a, int b) {
        int product = 0;
        int shifted = b;
        for (int bit = 31; bit >= 0; bit--) {
            product ^= shifted & -(a >>> bit & 1);
            shifted = multiplyByX(shifted);
        }
        return product;
    }

    private static int multiplyByX(int value) {
        return value >>> 1 ^ (POLYNOMIAL & -(value & 1));
    }

    /** The polynomial has the term x^0, so the bit that it leaves at the top tells whether it was added. */
    private static int divideByX(int value) {
        return value < 0 ? (value ^ POLYNOMIAL) << 1 | 1 : value << 1;
    }
}
