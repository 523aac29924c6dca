package io.hyperverbs.backend.management;

import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.sa.JoinState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A multicast group with its joins. Under the lock of {@link Management}. */
final class GroupRecord {
    final Gid address;
    final int mlid;
    final int qkey;
    final List<CmObject.Membership> joins = new ArrayList<>();

    /** Whose quota it counts to: one of its full members. */
    CmSession owner;

    GroupRecord(CmSession owner, Gid address, int mlid, int qkey) {
        this.owner = owner;
        this.address = address;
        this.mlid = mlid;
        this.qkey = qkey;
    }

    /** The oldest full member that {@code wanted} takes; null if there is none. */
    @Nullable
    CmSession fullMember(Predicate<CmSession> wanted) {
        for (CmObject.Membership join : joins) {
            if ((join.joinState & JoinState.FULL_MEMBER.bit()) != 0 && wanted.test(join.owner)) {
                return join.owner;
            }
        }
        return null;
    }

    /** Bits of all joins of one port. */
    int joinState(CmSession member) {
        int bits = 0;
        for (CmObject.Membership join : joins) {
            bits |= join.owner.equals(member) ? join.joinState : 0;
        }
        return bits;
    }
}
