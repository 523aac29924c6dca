package io.hyperverbs.verbs.sa;

/** How a port belongs to a multicast group (IBA 15.2.5.17); codes are the bits of JoinState. */
public enum JoinState {
    /** Sends and receives; keeps the group alive. */
    FULL_MEMBER(1),
    /** Sends and receives, as long as full members keep the group alive. */
    NON_MEMBER(2),
    /** Sends alone. */
    SEND_ONLY_NON_MEMBER(4);

    private final int bit;

    JoinState(int bit) {
        this.bit = bit;
    }

    /** The bit in {@link MemberRecord#joinState}. */
    public int bit() {
        return bit;
    }
}
