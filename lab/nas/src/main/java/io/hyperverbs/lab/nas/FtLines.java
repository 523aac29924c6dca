package io.hyperverbs.lab.nas;

/**
 * Discrete Fourier transforms of lines of complex numbers, real and imaginary part in turn, whose length is a power of
 * two; neither direction divides (RNR-94-007, section 3.4.3). Decimation in time, in one line's own memory.
 */
final class FtLines {
    private final int length;

    /** exp(-2 pi i k / length), real and imaginary part in turn, for the lower half of all k. */
    private final double[] roots;

    private final double[] line;

    FtLines(int length) {
        this.length = length;
        roots = new double[length];
        line = new double[2 * length];
        for (int k = 0; k < length / 2; k++) {
            double angle = -2 * Math.PI * k / length;
            roots[2 * k] = Math.cos(angle);
            roots[2 * k + 1] = Math.sin(angle);
        }
    }

    /**
     * @param first number of the line, counted in complex numbers
     * @param stride from each number of it to the next
     * @param sign 1 forward, with exp(-2 pi i); -1 inverse
     */
    void transform(double[] data, int first, int stride, int sign) {
        int shift = Integer.numberOfLeadingZeros(length) + 1;
        for (int i = 0; i < length; i++) {
            int from = 2 * (first + i * stride);
            int to = 2 * (Integer.reverse(i) >>> shift);
            line[to] = data[from];
            line[to + 1] = data[from + 1];
        }
        for (int half = 1; half < length; half *= 2) {
            combine(half, sign);
        }
        for (int i = 0; i < length; i++) {
            int to = 2 * (first + i * stride);
            data[to] = line[2 * i];
            data[to + 1] = line[2 * i + 1];
        }
    }

    /** Makes transforms of twice the length from neighbouring pairs of them. */
    private void combine(int half, int sign) {
        int step = length / (2 * half);
        for (int k = 0; k < half; k++) {
            double rootRe = roots[2 * k * step];
            double rootIm = sign * roots[2 * k * step + 1];
            for (int even = 2 * k; even < 2 * length; even += 4 * half) {
                int odd = even + 2 * half;
                double re = line[odd] * rootRe - line[odd + 1] * rootIm;
                double im = line[odd] * rootIm + line[odd + 1] * rootRe;
                line[odd] = line[even] - re;
                line[odd + 1] = line[even + 1] - im;
                line[even] += re;
                line[even + 1] += im;
            }
        }
    }
}
