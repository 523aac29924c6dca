package io.hyperverbs.hca.ud;

import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.verbs.Gid;
import java.util.ArrayList;
import java.util.List;

/** A multicast group with its members, in the order in which they joined. Engine thread only. */
final class MulticastGroup {
    private final Gid gid;
    private final int lid;
    private final int index;
    private final int address;
    private final List<Qp> members = new ArrayList<>();

    MulticastGroup(Gid gid, int lid, int index) {
        this.gid = gid;
        this.lid = lid;
        this.index = index;
        this.address = GroupNetwork.address(gid);
    }

    boolean isCalled(Gid otherGid, int otherLid) {
        return lid == otherLid && gid.equals(otherGid);
    }

    Gid gid() {
        return gid;
    }

    int lid() {
        return lid;
    }

    int index() {
        return index;
    }

    /** IPv4 group that stands for it on a wire. */
    int address() {
        return address;
    }

    int size() {
        return members.size();
    }

    Qp member(int i) {
        return members.get(i);
    }

    boolean has(Qp qp) {
        return members.contains(qp);
    }

    void add(Qp qp) {
        members.add(qp);
    }

    /** The order of the others stays. */
    boolean remove(Qp qp) {
        return members.remove(qp);
    }
}
