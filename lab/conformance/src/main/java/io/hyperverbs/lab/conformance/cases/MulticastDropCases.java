package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.lab.conformance.rig.UcSide;
import io.hyperverbs.lab.conformance.rig.UdSide;
import io.hyperverbs.verbs.AddressHandle;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;

/** Groups that cannot be attached to, and datagrams that reach nobody, or not all. */
@CaseGroup("multicast")
public final class MulticastDropCases {
    private static final String BAD = "what is no group's address: EINVAL (ibv_attach_mcast)";

    private MulticastDropCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        cases.add("gid-of-a-port", BAD, rig -> refuses(rig, new Gid(0xfe80L << 48, 1), MulticastCases.LID));
        cases.add("gid-zero", BAD, rig -> refuses(rig, new Gid(0, 0), MulticastCases.LID));
        cases.add("lid-of-a-port", BAD, rig -> refuses(rig, MulticastCases.GROUP, 0xbfff));
        cases.add("lid-zero", BAD, rig -> refuses(rig, MulticastCases.GROUP, 0));
        cases.add("lid-permissive", BAD, rig -> refuses(rig, MulticastCases.GROUP, 0xffff));
        cases.add("lid-negative", BAD, rig -> refuses(rig, MulticastCases.GROUP, -1));
    }

    private static void refuses(Rig rig, Gid gid, int lid) throws VerbsException {
        UdSide side = UdSide.active(rig, "side");

        Expect.refused(VerbsStatus.EINVAL, "attaching to " + gid + " " + lid, () -> side.attach(gid, lid));

        side.qp().close();
    }

    @Case("a group is reached by QPN 0xffffff alone (IBA 9.8.3)")
    static void otherQpnDrops(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide member = MulticastCases.member(rig, "member");
        AddressHandle ah = MulticastCases.group(from, MulticastCases.GROUP, MulticastCases.LID);

        MulticastCases.send(from, ah, member.qp().qpn(), 7);
        MulticastCases.send(from, ah, 0xff_fffe, 6);
        MulticastCases.send(from, ah, UdQueuePair.MULTICAST_QPN, 8);

        MulticastCases.gets(member, 8);
        MulticastCases.leave(member);
    }

    @Case("a group without members: the datagram is lost, SUCCESS at the sender")
    static void emptyGroupDrops(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide member = MulticastCases.member(rig, "member");
        MulticastCases.send(from, MulticastCases.GROUP, MulticastCases.LID, 8);
        MulticastCases.gets(member, 8);
        MulticastCases.leave(member);

        MulticastCases.send(from, MulticastCases.GROUP, MulticastCases.LID, 8);

        from.expectState(QpState.RTS);
        member.ends();
    }

    @Case("each member checks the Q_Key for itself (IBA 10.2.5)")
    static void otherQkeyDropsForOne(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide one = MulticastCases.member(rig, "one");
        UdSide other =
                MulticastCases.member(rig, "other Q_Key", SideOptions.standard().with(QpAttribute.QKEY, 77));

        MulticastCases.send(from, MulticastCases.GROUP, MulticastCases.LID, 8);

        MulticastCases.gets(one, 8);
        MulticastCases.leave(one, other);
        other.ends(5);
    }

    @Case("a member without a receive loses its copy, the others do not (IBA 10.5)")
    static void noReceiveDropsForOne(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide empty = UdSide.active(rig, "without receive");
        empty.attach(MulticastCases.GROUP, MulticastCases.LID);
        UdSide member = MulticastCases.member(rig, "member");

        MulticastCases.send(from, MulticastCases.GROUP, MulticastCases.LID, 8);

        MulticastCases.gets(member, 8);
        empty.expectState(QpState.RTS);
        MulticastCases.leave(empty, member);
        empty.ends();
    }

    @Case("a member whose receive fails its check goes to ERR, the others do not")
    static void badReceiveFailsAlone(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide bad = UdSide.active(rig, "bad");
        bad.attach(MulticastCases.GROUP, MulticastCases.LID);
        bad.receive(5, new Sge(bad.at(0), 64, UcSide.NO_KEY));
        UdSide member = MulticastCases.member(rig, "member");

        MulticastCases.send(from, MulticastCases.GROUP, MulticastCases.LID, 8);

        bad.received(5, VerbsStatus.LOC_PROT_ERR);
        bad.expectState(QpState.ERR);
        MulticastCases.gets(member, 8);
        member.expectState(QpState.RTS);
        MulticastCases.leave(bad, member);
    }

    @Case("a quota used up: EAGAIN naming it; what is given back can be had again: choice")
    static void quota(Rig rig) throws VerbsException {
        UdSide side = UdSide.active(rig, "side");
        int maximum = side.context().queryDevice().objects().maxMulticastGroups();
        for (int i = 0; i < maximum; i++) {
            side.attach(new Gid(MulticastCases.GROUP.prefix(), i), MulticastCases.LID);
        }

        VerbsException refusal = Expect.refused(
                VerbsStatus.EAGAIN, "one attachment more", () -> side.attach(MulticastCases.OTHER, MulticastCases.LID));

        Expect.isTrue(
                Expect.text(refusal).contains("quota mcast: " + maximum + " of " + maximum),
                "refusal says " + Expect.text(refusal));
        side.qp().detachMulticast(new Gid(MulticastCases.GROUP.prefix(), 0), MulticastCases.LID);
        side.attach(MulticastCases.OTHER, MulticastCases.LID);
        side.qp().detachMulticast(MulticastCases.OTHER, MulticastCases.LID);
        for (int i = 1; i < maximum; i++) {
            side.qp().detachMulticast(new Gid(MulticastCases.GROUP.prefix(), i), MulticastCases.LID);
        }
    }
}
