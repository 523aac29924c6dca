package io.hyperverbs.lab.walk.model;

import io.hyperverbs.verbs.Access;

/** Which rights a region may have: {@code ibv_reg_mr(3)}. */
final class RegionRules {
    private static final int WRITING = Access.REMOTE_WRITE.bit() | Access.REMOTE_ATOMIC.bit();

    private RegionRules() {}

    /** What peers may change, the domain itself may change. */
    static boolean isLegal(int access) {
        return (access & WRITING) == 0 || (access & Access.LOCAL_WRITE.bit()) != 0;
    }
}
