package io.hyperverbs.hca.ud;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.McgContextLayout;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.GlobalRoute;
import org.jspecify.annotations.Nullable;

/**
 * Multicast groups by GID and LID: a group is there while it has members, of whatever domain.
 * Chained hashing over arrays of fixed size. Engine thread only; looking up allocates nothing.
 */
public final class MulticastTable {
    /** Queue pairs that one group can have. */
    public static final int MAX_MEMBERS = 1024;

    private static final int END = -1;

    private final ContextMemory contexts;
    private final GroupNetwork network;
    private final @Nullable MulticastGroup[] groups;
    private final int[] chain;
    private final int[] heads;
    private final int[] attachments;
    private int live;

    public MulticastTable(ContextMemory contexts, GroupNetwork network, int maxGroups, int maxQp) {
        this.contexts = contexts;
        this.network = network;
        this.groups = new MulticastGroup[maxGroups];
        this.chain = new int[maxGroups];
        this.heads = new int[Integer.highestOneBit(Math.max(maxGroups, 1)) << 1];
        this.attachments = new int[maxQp];
        java.util.Arrays.fill(heads, END);
    }

    /** Groups that a queue pair is attached to. */
    public int attachments(Qp qp) {
        return attachments[qp.index()];
    }

    /**
     * Attaches a queue pair; one that is attached already stays as it is.
     *
     * @return false if there is no room for the group or in it
     */
    public boolean attach(Qp qp, Gid gid, int lid) {
        MulticastGroup group = find(gid, lid);
        if (group == null) {
            if (live == groups.length || !network.join(GroupNetwork.address(gid))) {
                return false;
            }
            group = create(gid, lid);
        } else if (group.has(qp)) {
            return true;
        } else if (group.size() == MAX_MEMBERS) {
            return false;
        }
        group.add(qp);
        attachments[qp.index()]++;
        note(group);
        return true;
    }

    /** Detaches a queue pair; false if it is not attached. */
    public boolean detach(Qp qp, Gid gid, int lid) {
        MulticastGroup group = find(gid, lid);
        if (group == null || !group.remove(qp)) {
            return false;
        }
        attachments[qp.index()]--;
        if (group.size() == 0) {
            remove(group);
            if (next(group.address(), 0) < 0) {
                network.leave(group.address());
            }
        } else {
            note(group);
        }
        return true;
    }

    /** The group that a multicast address names, or null. */
    @Nullable
    MulticastGroup of(AddressVector vector) {
        GlobalRoute route = vector.to().route();
        return route == null ? null : find(route.destination(), vector.to().lid());
    }

    /**
     * Index of a group that stands for that IPv4 group, from {@code index} on; negative if there is none.
     */
    public int next(int address, int index) {
        for (int i = index; live > 0 && i < groups.length; i++) {
            MulticastGroup group = groups[i];
            if (group != null && group.address() == address) {
                return i;
            }
        }
        return -1;
    }

    /** Members of the group at an index that {@link #next} gave. */
    public int members(int index) {
        MulticastGroup group = groups[index];
        return group == null ? 0 : group.size();
    }

    /** Member {@code i} of the group at an index that {@link #next} gave. */
    public @Nullable Qp member(int index, int i) {
        MulticastGroup group = groups[index];
        return group == null || i >= group.size() ? null : group.member(i);
    }

    private @Nullable MulticastGroup find(Gid gid, int lid) {
        for (int i = heads[bucket(gid, lid)]; i != END; i = chain[i]) {
            MulticastGroup group = groups[i];
            if (group != null && group.isCalled(gid, lid)) {
                return group;
            }
        }
        return null;
    }

    private MulticastGroup create(Gid gid, int lid) {
        int index = 0;
        while (groups[index] != null) {
            index++;
        }
        MulticastGroup group = new MulticastGroup(gid, lid, index);
        groups[index] = group;
        int bucket = bucket(gid, lid);
        chain[index] = heads[bucket];
        heads[bucket] = index;
        live++;
        return group;
    }

    private void remove(MulticastGroup group) {
        int bucket = bucket(group.gid(), group.lid());
        if (heads[bucket] == group.index()) {
            heads[bucket] = chain[group.index()];
        } else {
            int before = heads[bucket];
            while (chain[before] != group.index()) {
                before = chain[before];
            }
            chain[before] = chain[group.index()];
        }
        groups[group.index()] = null;
        live--;
        McgContextLayout.clear(contexts.memory(), entry(group));
    }

    private void note(MulticastGroup group) {
        McgContextLayout.write(
                contexts.memory(), entry(group), group.index() + 1, group.lid(), group.gid(), group.size());
    }

    private long entry(MulticastGroup group) {
        return contexts.entry(Table.MCG, group.index(), McgContextLayout.SIZE_BYTES);
    }

    private int bucket(Gid gid, int lid) {
        long mixed = (gid.prefix() * 31 + gid.interfaceId()) * 31 + lid;
        return (int) ((mixed * 0x9e37_79b9_7f4a_7c15L) >>> 40) & (heads.length - 1);
    }
}
