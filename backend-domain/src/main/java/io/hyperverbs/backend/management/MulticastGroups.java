package io.hyperverbs.backend.management;

import io.hyperverbs.backend.management.CmObject.Membership;
import io.hyperverbs.backend.session.ContextObject;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.sa.JoinState;
import io.hyperverbs.verbs.sa.MemberRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** MCMemberRecords (IBA 15.2.5.17). Under the lock of {@link Management}. */
final class MulticastGroups {
    private static final int FIRST_MLID = 0xc001;
    private static final int LAST_MLID = 0xfffe;
    private static final int ALL_BITS = 7;

    /**
     * Where the administrator takes addresses for groups that ask for one: link-local, transient.
     */
    private static final long ASSIGNED_PREFIX = 0xff12_4856_0000_0000L;

    private final Subnet subnet;
    private final Map<Gid, GroupRecord> groups = new HashMap<>();
    private final Set<Integer> mlids = new HashSet<>();
    private long assigned;
    private int lastMlid = FIRST_MLID - 1;

    MulticastGroups(Subnet subnet) {
        this.subnet = subnet;
    }

    Membership join(CmSession member, ContextObject context, Gid asked, int bits, int qkey) throws Refusal {
        if (bits <= 0 || bits > ALL_BITS) {
            throw invalid("join state " + bits + ", must be 1 to " + ALL_BITS);
        }
        if (!asked.isMulticast() && !asked.isZero()) {
            throw invalid("GID " + asked + " is no multicast group's");
        }
        member.checkRoom(QuotaKind.SA);
        GroupRecord group = groups.get(asked);
        if (group == null) {
            if ((bits & JoinState.FULL_MEMBER.bit()) == 0) {
                throw invalid("no group " + asked + ", and only a full member creates it");
            }
            group = create(member, asked, qkey);
        } else if (group.qkey != qkey) {
            throw invalid("the Q_Key is not the group's");
        }
        Membership membership = new Membership(member, context, group, bits);
        group.joins.add(membership);
        member.add(membership);
        return membership;
    }

    void leave(Membership membership) {
        GroupRecord group = membership.group;
        group.joins.remove(membership);
        membership.owner.remove(membership);
        if (groups.get(group.address) == group && group.fullMember(group.owner::equals) == null) {
            passOn(group);
        }
    }

    /**
     * Who created the group is no full member any more: it counts to the quota of another one from
     * now on, or ends. Else a domain could fill the table by leaving, and the quota of another by
     * staying.
     */
    private void passOn(GroupRecord group) {
        group.owner.groups--;
        CmSession heir = group.fullMember(CmSession::hasRoomForGroup);
        if (heir == null) {
            groups.remove(group.address);
            mlids.remove(group.mlid);
            return;
        }
        heir.groups++;
        group.owner = heir;
    }

    List<MemberRecord> members(Gid address) {
        GroupRecord group = groups.get(address);
        if (group == null) {
            return List.of();
        }
        Set<CmSession> ports = new LinkedHashSet<>();
        group.joins.forEach(join -> ports.add(join.owner));
        List<MemberRecord> records = new ArrayList<>();
        for (CmSession port : ports) {
            records.add(record(group, port));
        }
        return records;
    }

    MemberRecord record(GroupRecord group, CmSession port) {
        return new MemberRecord(
                group.address,
                port.gid,
                group.mlid,
                group.qkey,
                subnet.pkey(),
                subnet.mtuBytes(),
                group.joinState(port));
    }

    // What is promised to all domains together is no more than the subnet has.
    private GroupRecord create(CmSession owner, Gid asked, int qkey) throws Refusal {
        owner.checkRoom(QuotaKind.GROUP);
        Gid address = asked.isZero() ? unusedAddress() : asked;
        GroupRecord group = new GroupRecord(owner, address, nextMlid(), qkey);
        groups.put(address, group);
        owner.groups++;
        return group;
    }

    /** One that nobody has asked for by name. */
    private Gid unusedAddress() {
        Gid address = new Gid(ASSIGNED_PREFIX, ++assigned);
        while (groups.containsKey(address)) {
            address = new Gid(ASSIGNED_PREFIX, ++assigned);
        }
        return address;
    }

    /** A MLID that was given up is the last to be given again. */
    private int nextMlid() {
        do {
            lastMlid = lastMlid < LAST_MLID ? lastMlid + 1 : FIRST_MLID;
        } while (!mlids.add(lastMlid));
        return lastMlid;
    }

    private static Refusal invalid(String words) {
        return new Refusal(VerbsStatus.EINVAL, words);
    }
}
