package io.hyperverbs.upper.ipoib.link;

import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.AddressHandle;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.sa.JoinState;
import io.hyperverbs.verbs.sa.MulticastMembership;
import io.hyperverbs.verbs.sa.SubnetAdministration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The multicast groups of the link: those that this node is a full member of, whose packets its queue pair takes, and
 * those that it only sends to (RFC 4391 §5, §10). For whoever holds the link's lock.
 */
final class LinkGroups {
    /** How long the answer for a group that others keep holds: it may have ended, and begun again, with another LID. */
    private static final long SEND_ONLY_NANOS = 10_000_000_000L;

    /** The same of a group that could not be joined. */
    private static final long ABSENT_NANOS = 1_000_000_000L;

    private static final int MOST_FOREIGN = 32;

    private final ProtectionDomain pd;
    private final SubnetAdministration subnet;
    private final UdQueuePair qp;
    private final LinkSender sender;
    private final int qkey;
    private final Gid broadcast;
    private final Map<Gid, Group> joined = new HashMap<>();
    private final Map<Gid, Foreign> foreign = new HashMap<>();
    private final Set<Gid> refused = new HashSet<>();

    private record Group(MulticastMembership membership, AddressHandle handle) {
        void leave() throws VerbsException {
            handle.close();
            membership.close();
        }
    }

    /**
     * @param group null where it could not be joined
     */
    private record Foreign(@Nullable Group group, long untilNanos) {}

    /** Joins the broadcast group, without which there is no link (RFC 4391 §5). */
    LinkGroups(
            ProtectionDomain pd,
            SubnetAdministration subnet,
            UdQueuePair qp,
            LinkSender sender,
            int qkey,
            Gid broadcast)
            throws VerbsException {
        this.pd = pd;
        this.subnet = subnet;
        this.qp = qp;
        this.sender = sender;
        this.qkey = qkey;
        this.broadcast = broadcast;
        enter(broadcast);
    }

    /** The handle of the group that all nodes of the link are in. */
    AddressHandle broadcast() throws VerbsException {
        AddressHandle handle = handle(broadcast, 0);
        if (handle == null) {
            throw new IllegalStateException("not a member of the broadcast group");
        }
        return handle;
    }

    /** The handle for datagrams to a group; null while this node may join no more. */
    @Nullable
    AddressHandle handle(Gid group, long nowNanos) throws VerbsException {
        Group own = joined.get(group);
        if (own != null) {
            return own.handle;
        }
        Foreign known = foreign.get(group);
        if (known == null || known.untilNanos - nowNanos <= 0) {
            known = look(group, nowNanos);
        }
        return known.group == null ? null : known.group.handle;
    }

    private Foreign look(Gid group, long nowNanos) throws VerbsException {
        forget(group);
        if (foreign.size() == MOST_FOREIGN) {
            for (Gid other : new ArrayList<>(foreign.keySet())) {
                forget(other);
            }
        }
        Group made = tryJoin(group, JoinState.SEND_ONLY_NON_MEMBER);
        if (made == null) {
            // Each HCA has groups of its own, and its members may be at another: who makes one here reaches them.
            made = tryJoin(group, JoinState.FULL_MEMBER);
        }
        Foreign found = new Foreign(made, nowNanos + (made == null ? ABSENT_NANOS : SEND_ONLY_NANOS));
        foreign.put(group, found);
        return found;
    }

    /** Null for a group that is not there, or one too many for this guest. */
    private @Nullable Group tryJoin(Gid group, JoinState state) throws VerbsException {
        try {
            return join(group, state);
        } catch (VerbsException e) {
            if (e.status() == VerbsStatus.EINVAL || isTooMany(e)) {
                return null;
            }
            throw e;
        }
    }

    private static boolean isTooMany(VerbsException e) {
        return e.status() == VerbsStatus.EAGAIN || e.status() == VerbsStatus.ENOMEM;
    }

    private void forget(Gid group) throws VerbsException {
        Foreign known = foreign.remove(group);
        if (known != null && known.group != null) {
            sender.drain();
            known.group.leave();
        }
    }

    /** Is a full member of these, and of the broadcast group, from now on, and of no others. */
    void update(Set<Gid> wanted) throws VerbsException {
        for (Map.Entry<Gid, Group> one : List.copyOf(joined.entrySet())) {
            Gid group = one.getKey();
            if (!wanted.contains(group) && !group.equals(broadcast)) {
                joined.remove(group);
                sender.drain();
                qp.detachMulticast(group, one.getValue().membership.record().mlid());
                one.getValue().leave();
            }
        }
        refused.retainAll(wanted);
        for (Gid group : wanted) {
            if (!joined.containsKey(group) && !refused.contains(group)) {
                enterIfAllowed(group);
            }
        }
    }

    /** A guest has a quota of groups; packets of those beyond it do not come, and others do. */
    private void enterIfAllowed(Gid group) throws VerbsException {
        try {
            enter(group);
        } catch (VerbsException e) {
            if (!isTooMany(e)) {
                throw e;
            }
            refused.add(group);
            System.err.println("not in group " + group + ": " + e.getMessage());
        }
    }

    private void enter(Gid group) throws VerbsException {
        forget(group);
        Group own = join(group, JoinState.FULL_MEMBER);
        try {
            qp.attachMulticast(group, own.membership.record().mlid());
        } catch (VerbsException e) {
            own.leave();
            throw e;
        }
        joined.put(group, own);
    }

    private Group join(Gid group, JoinState state) throws VerbsException {
        MulticastMembership membership = subnet.join(group, Set.of(state), qkey);
        try {
            return new Group(
                    membership,
                    pd.createAh(
                            AddressAttributes.ofGroup(group, membership.record().mlid())));
        } catch (VerbsException e) {
            membership.close();
            throw e;
        }
    }
}
