package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsObject;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.sa.JoinState;
import io.hyperverbs.verbs.sa.MemberRecord;
import io.hyperverbs.verbs.sa.MulticastMembership;
import io.hyperverbs.verbs.sa.SubnetAdministration;
import java.util.List;
import java.util.Set;

/** Member records: multicast groups of the subnet. */
@CaseGroup("sa")
public final class SaGroupCases {
    private static final Set<JoinState> FULL = Set.of(JoinState.FULL_MEMBER);
    private static final Gid GROUP = new Gid(0xff12_4856_0000_00ffL, 0x7e57);
    private static final int QKEY = 0x1111_2222;

    private SaGroupCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        cases.add(
                "context-with-membership",
                "a context with a membership: EBUSY naming it",
                rig -> closeNames(
                        rig, context -> SubnetAdministration.of(context).join(GROUP, FULL, QKEY)));
    }

    private static MulticastMembership join(Rig rig, SubnetAdministration subnet, Gid group, JoinState state)
            throws VerbsException {
        return rig.closing(subnet.join(group, Set.of(state), QKEY));
    }

    @Case("a full member's join creates the group with a multicast LID (IBA 15.2.5.17)")
    static void joinCreatesGroup(Rig rig) throws VerbsException {
        SubnetAdministration subnet = SaPathCases.subnet(rig);

        MemberRecord record = join(rig, subnet, GROUP, JoinState.FULL_MEMBER).record();

        Expect.equal(GROUP, record.group(), "group");
        Expect.equal(subnet.gid(), record.port(), "member");
        Expect.equal(QKEY, record.qkey(), "Q_Key");
        Expect.isTrue(record.mlid() >= 0xc000 && record.mlid() < 0xffff, "MLID " + record.mlid() + " is not multicast");
        Expect.equal(List.of(record), subnet.members(GROUP), "members");
    }

    @Case("a group that exists keeps its MLID and Q_Key")
    static void joinAgainSameGroup(Rig rig) throws VerbsException {
        MulticastMembership first = join(rig, SaPathCases.subnet(rig), GROUP, JoinState.FULL_MEMBER);
        MulticastMembership second = join(rig, SaPathCases.subnet(rig), GROUP, JoinState.FULL_MEMBER);

        Expect.equal(first.record(), second.record(), "second record");
    }

    @Case("the member record of a port holds all its join states")
    static void joinStatesAddUp(Rig rig) throws VerbsException {
        SubnetAdministration subnet = SaPathCases.subnet(rig);
        var _ = join(rig, subnet, GROUP, JoinState.FULL_MEMBER);
        MulticastMembership sender = join(rig, subnet, GROUP, JoinState.SEND_ONLY_NON_MEMBER);

        Expect.equal(5, sender.record().joinState(), "join state of both");
        sender.close();
        Expect.equal(1, subnet.members(GROUP).getFirst().joinState(), "join state then");
    }

    @Case("a Q_Key that is not the group's: EINVAL")
    static void joinOtherQkey(Rig rig) throws VerbsException {
        SubnetAdministration subnet = SaPathCases.subnet(rig);
        var _ = join(rig, subnet, GROUP, JoinState.FULL_MEMBER);

        Expect.refused(VerbsStatus.EINVAL, "another Q_Key", () -> subnet.join(GROUP, FULL, QKEY + 1));
    }

    @Case("only a full member creates a group: EINVAL for the others (IBA 15.2.5.17.2)")
    static void nonMemberCannotCreate(Rig rig) throws VerbsException {
        SubnetAdministration subnet = SaPathCases.subnet(rig);
        for (JoinState state : List.of(JoinState.NON_MEMBER, JoinState.SEND_ONLY_NON_MEMBER)) {
            Expect.refused(VerbsStatus.EINVAL, "creation by " + state, () -> subnet.join(GROUP, Set.of(state), QKEY));
        }
        var _ = join(rig, subnet, GROUP, JoinState.FULL_MEMBER);
        var _ = join(rig, subnet, GROUP, JoinState.NON_MEMBER);
    }

    @Case("without a full member there is no group (IBA 15.2.5.17.3)")
    static void groupGoesWithLastFullMember(Rig rig) throws VerbsException {
        SubnetAdministration subnet = SaPathCases.subnet(rig);
        MulticastMembership full = join(rig, subnet, GROUP, JoinState.FULL_MEMBER);
        MulticastMembership other = join(rig, subnet, GROUP, JoinState.NON_MEMBER);

        full.close();

        Expect.equal(List.of(), subnet.members(GROUP), "members");
        other.close();
        Expect.equal(
                QKEY + 1,
                rig.closing(subnet.join(GROUP, FULL, QKEY + 1)).record().qkey(),
                "Q_Key of the new group");
    }

    @Case("an all-zero MGID: the administrator assigns one (IBA 15.2.5.17.2)")
    static void groupAddressAssigned(Rig rig) throws VerbsException {
        SubnetAdministration subnet = SaPathCases.subnet(rig);
        Gid zero = new Gid(0, 0);

        Gid first = join(rig, subnet, zero, JoinState.FULL_MEMBER).record().group();
        Gid second = join(rig, subnet, zero, JoinState.FULL_MEMBER).record().group();

        Expect.isTrue(first.isMulticast() && second.isMulticast(), first + " is no group's");
        Expect.isTrue(!first.equals(second), first + " twice");
    }

    @Case("each group has a multicast LID of its own")
    static void groupsHaveDifferentMlids(Rig rig) throws VerbsException {
        SubnetAdministration subnet = SaPathCases.subnet(rig);
        Gid other = new Gid(GROUP.prefix(), GROUP.interfaceId() + 1);

        int first = join(rig, subnet, GROUP, JoinState.FULL_MEMBER).record().mlid();
        int second = join(rig, subnet, other, JoinState.FULL_MEMBER).record().mlid();

        Expect.isTrue(first != second, "MLID " + first + " twice");
    }

    @Case("a GID that is no group's: EINVAL")
    static void joinUnicastGid(Rig rig) throws VerbsException {
        SubnetAdministration subnet = SaPathCases.subnet(rig);
        Gid own = subnet.gid();

        Expect.refused(VerbsStatus.EINVAL, "joining a port", () -> subnet.join(own, FULL, QKEY));
    }

    @Case("no join state: EINVAL")
    static void joinWithoutState(Rig rig) throws VerbsException {
        SubnetAdministration subnet = SaPathCases.subnet(rig);

        Expect.refused(VerbsStatus.EINVAL, "joining as nobody", () -> subnet.join(GROUP, Set.of(), QKEY));
    }

    @Case("no such group: no record")
    static void membersOfNoGroup(Rig rig) throws VerbsException {
        Expect.equal(List.of(), SaPathCases.subnet(rig).members(GROUP), "members");
    }

    @Case("quota sa used up: EAGAIN naming it; given back, had again")
    static void quotaOfRecords(Rig rig) throws VerbsException {
        SubnetAdministration subnet = SaPathCases.subnet(rig);

        var _ = QuotaCases.usesUp(rig, "sa", () -> subnet.join(GROUP, FULL, QKEY));
    }

    /** Makes something of a context. */
    interface Child {
        VerbsObject of(Context context) throws VerbsException;
    }

    static void closeNames(Rig rig, Child child) throws VerbsException {
        Context context = rig.context();
        VerbsObject made = rig.closing(child.of(context));

        Expect.inUse(context, made);

        made.close();
        context.close();
    }
}
