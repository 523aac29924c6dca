package io.hyperverbs.backend.management;

import io.hyperverbs.verbs.Gid;

import java.util.ArrayList;
import java.util.List;

/** A multicast group with its joins. Under the lock of {@link Management}. */
final class MulticastGroup {
    final Gid address;
    final int mlid;
    final int qkey;
    final List<CmObject.Membership> joins = new ArrayList<>();

    MulticastGroup(Gid address, int mlid, int qkey) {
        this.address = address;
        this.mlid = mlid;
        this.qkey = qkey;
    }

    /** Bits of all joins of one port. */
    int joinState(Participant member) {
        int bits = 0;
        for (CmObject.Membership join : joins) {
            bits |= join.owner.equals(member) ? join.joinState : 0;
        }
        return bits;
    }
}
