package io.hyperverbs.lab.run.floor;

/** The engine's side of a {@link FloorRing}: copies what a party asks for, some of it in a turn. One thread. */
final class FloorServer {
    /** Receives that a party has posted, as those of {@code hv bench bw} have. */
    static final int RECEIVES = 512;

    private static final int TURN_COPIES = 32;
    private static final int TURN_BYTES = 1 << 16;

    private final FloorMemory memory;
    private final FloorRing ring;
    private final int party;
    private int done;
    private int arrived;

    FloorServer(FloorMemory memory, int party) {
        this.memory = memory;
        this.ring = memory.ring(party);
        this.party = party;
    }

    /**
     * Does a turn.
     *
     * @param relays whether each copy takes a receive of the other party, which finds it in its own counter
     * @return whether there was anything to do
     */
    boolean serve(boolean relays) {
        int most = Math.min(TURN_COPIES, ring.asked() - done);
        if (relays) {
            most = Math.min(most, RECEIVES - (arrived - ring.taken()));
        }
        int bytes = 0;
        int copies = 0;
        while (copies < most && bytes < TURN_BYTES) {
            int length = ring.bytes(done + copies);
            memory.copy(party, length);
            bytes += length;
            copies++;
        }
        if (copies == 0) {
            return false;
        }
        done += copies;
        if (relays) {
            arrived += copies;
            ring.publishArrived(arrived);
        }
        ring.publishDone(done);
        return true;
    }
}
