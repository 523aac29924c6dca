package io.hyperverbs.upper.job;

import java.util.List;

/**
 * Which rank of which job a program is.
 *
 * @param key of the job, drawn by who started it; ranks of other jobs do not know it
 * @param rank from 0, below the number of guests
 * @param guests the guest of each rank
 */
public record JobPlace(long key, int rank, List<String> guests) {
    /** The rank in the low bits of a service id, so that several ranks of a guest listen beside each other. */
    private static final int RANK_BITS = 16;

    /** "MP" in the upper bits. */
    private static final long SERVICE = 0x4d50L << 48;

    /** One program's classes are loaded for it alone, so that ranks of one guest have a place each. */
    private static volatile JobPlace current = new JobPlace(0, 0, List.of(""));

    public JobPlace {
        guests = List.copyOf(guests);
        if (rank < 0 || rank >= guests.size() || guests.size() > 1 << RANK_BITS) {
            throw new IllegalArgumentException("rank " + rank + " of " + guests.size());
        }
    }

    /** The place of this program; one rank alone where nobody said another. */
    public static JobPlace current() {
        return current;
    }

    /** Says which rank this program is, before it begins. */
    public static void begin(JobPlace place) {
        current = place;
    }

    public int ranks() {
        return guests.size();
    }

    /** What the connection manager finds a rank by. */
    public long serviceId(int ofRank) {
        return SERVICE | (key & 0xffff_ffffL) << RANK_BITS | ofRank;
    }

    /** A rank and its guest, as messages name it. */
    public String name(int ofRank) {
        return "rank " + ofRank + " in " + guests.get(ofRank);
    }
}
