package io.hyperverbs.hca.number;

import java.util.random.RandomGenerator;

/**
 * Random 24-bit numbers, each given to one holder at a time: QPNs, and the index part of memory
 * keys. Never 0, 1 or 0xFFFFFF. A number that comes back waits in quarantine, so that a stale one
 * names nothing for long. Engine thread only.
 */
public final class RandomNumbers {
    private static final int BITS = 24;

    private final RandomGenerator random;
    private final IntTable taken;
    private final int[] quarantine;
    private final int quarantineMask;
    private int quarantined;
    private int oldest;

    /**
     * @param maxHeld numbers out at one time
     * @param quarantineSize power of two: so many later releases before a number is given again
     */
    public RandomNumbers(RandomGenerator random, int maxHeld, int quarantineSize) {
        this.random = random;
        this.taken = new IntTable(maxHeld + quarantineSize);
        this.quarantine = new int[quarantineSize];
        this.quarantineMask = quarantineSize - 1;
    }

    /** A number that nobody holds and that is not in quarantine. */
    public int take() {
        while (true) {
            int number = random.nextInt(1 << BITS);
            if (number > 1 && number != (1 << BITS) - 1 && !taken.contains(number)) {
                taken.put(number, 0);
                return number;
            }
        }
    }

    /** Gives a number back. */
    public void release(int number) {
        if (quarantined == quarantine.length) {
            taken.remove(quarantine[oldest & quarantineMask]);
            oldest++;
            quarantined--;
        }
        quarantine[(oldest + quarantined) & quarantineMask] = number;
        quarantined++;
    }
}
