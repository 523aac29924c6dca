package io.hyperverbs.toolstack.conformance.cases;

import io.hyperverbs.toolstack.conformance.CaseList;
import io.hyperverbs.toolstack.conformance.ConformanceCase;
import io.hyperverbs.toolstack.conformance.rig.Expect;
import io.hyperverbs.toolstack.conformance.rig.Pattern;
import io.hyperverbs.toolstack.conformance.rig.Rig;
import io.hyperverbs.toolstack.conformance.rig.SideOptions;
import io.hyperverbs.toolstack.conformance.rig.UcSide;
import io.hyperverbs.toolstack.conformance.rig.UdSide;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.AddressHandle;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.GlobalRoute;
import io.hyperverbs.verbs.Grh;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;

import java.util.ArrayList;
import java.util.List;

/** Datagrams to groups: who gets them, and who may attach to what. */
public final class MulticastCases {
    private static final Gid GROUP = new Gid(0xff12_401b_ffff_0000L, 0x1111);
    private static final Gid OTHER = new Gid(0xff12_401b_ffff_0000L, 0x2222);
    private static final int LID = 0xc011;
    private static final int GRH = Grh.SIZE_BYTES;
    // More than the engine serves at once.
    private static final int MANY = 20;

    private MulticastCases() {}

    public static List<ConformanceCase> cases() {
        String all = "every queue pair attached to a group gets its own copy (IBA 10.5)";
        String bad = "what is no group's address: EINVAL (ibv_attach_mcast)";
        return new CaseList("multicast")
                .add("one-member", all, rig -> reaches(rig, 1))
                .add("two-members", all, rig -> reaches(rig, 2))
                .add("twenty-members", all, rig -> reaches(rig, MANY))
                .add(
                        "sender-is-a-member",
                        "a sender that is attached gets its own datagram too: choice",
                        MulticastCases::toItself)
                .add(
                        "sender-needs-not-attach",
                        "who only sends need not be attached (IBA 10.5)",
                        rig -> reaches(rig, 1))
                .add(
                        "members-on-both-ports",
                        "each port with members gets a copy (IBA 10.5)",
                        MulticastCases::bothPorts)
                .add(
                        "not-attached-hears-nothing",
                        "a queue pair gets datagrams of its groups alone (ibv_attach_mcast)",
                        MulticastCases::strangers)
                .add(
                        "two-groups-of-one-queue-pair",
                        "a queue pair may be in several groups (ibv_attach_mcast)",
                        MulticastCases::twoGroups)
                .add(
                        "same-gid-other-lid",
                        "a group is GID and LID together (ibv_attach_mcast)",
                        MulticastCases::otherLid)
                .add(
                        "attached-twice-gets-one",
                        "attaching again changes nothing (ibv_attach_mcast)",
                        MulticastCases::attachedTwice)
                .add(
                        "detached-gets-nothing",
                        "when ibv_detach_mcast returns no datagram of the group comes any more",
                        MulticastCases::detached)
                .add(
                        "detach-what-is-not-attached",
                        "detaching without being attached: EINVAL (ibv_detach_mcast)",
                        MulticastCases::detachUnattached)
                .add(
                        "attached-cannot-be-closed",
                        "an attached queue pair is in use: EBUSY (ibv_destroy_qp)",
                        MulticastCases::closeAttached)
                .add(
                        "attach-in-reset",
                        "a queue pair attaches in any state and hears from RTR on: choice",
                        MulticastCases::attachInReset)
                .add(
                        "attachment-outlives-reset",
                        "RESET does not detach: choice",
                        MulticastCases::outlivesReset)
                .add("gid-of-a-port", bad, rig -> refuses(rig, new Gid(0xfe80L << 48, 1), LID))
                .add("gid-zero", bad, rig -> refuses(rig, new Gid(0, 0), LID))
                .add("lid-of-a-port", bad, rig -> refuses(rig, GROUP, 0xbfff))
                .add("lid-zero", bad, rig -> refuses(rig, GROUP, 0))
                .add("lid-permissive", bad, rig -> refuses(rig, GROUP, 0xffff))
                .add("lid-negative", bad, rig -> refuses(rig, GROUP, -1))
                .add(
                        "other-qpn-drops",
                        "a group is reached by QPN 0xffffff alone (IBA 9.8.3)",
                        MulticastCases::otherQpn)
                .add(
                        "empty-group-drops",
                        "a group without members: the datagram is lost, SUCCESS at the sender",
                        MulticastCases::emptyGroup)
                .add(
                        "other-qkey-drops-for-one",
                        "each member checks the Q_Key for itself (IBA 10.2.5)",
                        MulticastCases::otherQkey)
                .add(
                        "no-receive-drops-for-one",
                        "a member without a receive loses its copy, the others do not (IBA 10.5)",
                        MulticastCases::noReceive)
                .add(
                        "bad-receive-fails-alone",
                        "a member whose receive fails its check goes to ERR, the others do not",
                        MulticastCases::badReceive)
                .add(
                        "quota",
                        "a quota used up: EAGAIN naming it; what is given back can be had again:"
                                + " choice",
                        MulticastCases::quota)
                .cases();
    }

    private static AddressHandle group(UdSide from, Gid gid, int lid) throws VerbsException {
        return from.ah(new AddressAttributes(from.port(), lid, 0, 0, 0, GlobalRoute.to(gid)));
    }

    private static UdSide member(Rig rig, String name) throws VerbsException {
        return member(rig, name, SideOptions.standard());
    }

    private static UdSide member(Rig rig, String name, SideOptions options) throws VerbsException {
        UdSide side = UdSide.active(rig, name, options);
        side.attach(GROUP, LID);
        side.receive(5, side.sge(4096, 2048));
        return side;
    }

    private static void leave(UdSide... members) throws VerbsException {
        for (UdSide member : members) {
            member.qp().detachMulticast(GROUP, LID);
        }
    }

    private static void send(UdSide from, Gid gid, int lid, int lengthBytes) throws VerbsException {
        send(from, group(from, gid, lid), UdQueuePair.MULTICAST_QPN, lengthBytes);
    }

    private static void send(UdSide from, AddressHandle ah, int qpn, int lengthBytes) {
        from.post(
                new SendWorkRequest.SendTo(
                        1,
                        SendFlags.SIGNALLED,
                        List.of(from.sge(0, lengthBytes)),
                        ah.number(),
                        qpn,
                        UdSide.QKEY));
        from.sent(1, VerbsStatus.SUCCESS);
    }

    private static void gets(UdSide member, int lengthBytes) {
        WorkCompletion found = member.received(5, VerbsStatus.SUCCESS);
        Expect.equal(GRH + lengthBytes, found.byteCount(), member + " bytes received");
        Expect.isTrue(found.hasGrh(), member + ": IBV_WC_GRH is missing");
        Expect.equal(GROUP, Grh.destination(member.buffer(), 4096), "destination GID");
    }

    private static void reaches(Rig rig, int count) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        Pattern.fill(from.buffer(), 0, 100, 1);
        List<UdSide> members = new ArrayList<>();
        Context context = rig.context();
        for (int i = 0; i < count; i++) {
            UdSide member =
                    UdSide.open(rig, context, "member " + i, SideOptions.standard()).activate();
            member.attach(GROUP, LID);
            member.receive(5, member.sge(4096, 2048));
            members.add(member);
        }

        send(from, GROUP, LID, 100);

        for (UdSide member : members) {
            gets(member, 100);
            Pattern.expect(member.buffer(), 4096 + GRH, 100, 1, "data");
            leave(member);
            member.ends();
        }
    }

    private static void toItself(Rig rig) throws VerbsException {
        UdSide from = member(rig, "sender");
        UdSide other = member(rig, "other");

        send(from, GROUP, LID, 8);

        gets(from, 8);
        gets(other, 8);
        leave(from, other);
    }

    private static void bothPorts(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide one = member(rig, "port 1");
        UdSide two = member(rig, "port 2", SideOptions.standard().with(QpAttribute.PORT, 2));

        send(from, GROUP, LID, 8);

        gets(one, 8);
        gets(two, 8);
        leave(one, two);
    }

    private static void strangers(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide member = member(rig, "member");
        UdSide stranger = UdSide.active(rig, "stranger");
        stranger.receive(5, stranger.sge(0, 2048));

        send(from, GROUP, LID, 8);

        gets(member, 8);
        leave(member);
        stranger.ends(5);
    }

    private static void twoGroups(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide member = member(rig, "member");
        member.attach(OTHER, LID + 1);
        member.receive(6, member.sge(0, 2048));

        send(from, GROUP, LID, 8);
        send(from, OTHER, LID + 1, 9);

        gets(member, 8);
        Expect.equal(GRH + 9, member.received(6, VerbsStatus.SUCCESS).byteCount(), "bytes");
        member.qp().detachMulticast(OTHER, LID + 1);
        leave(member);
    }

    private static void otherLid(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide member = member(rig, "member");

        send(from, GROUP, LID + 1, 7);
        send(from, OTHER, LID, 6);
        send(from, GROUP, LID, 8);

        gets(member, 8);
        leave(member);
    }

    private static void attachedTwice(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide member = member(rig, "member");
        member.attach(GROUP, LID);
        member.receive(6, member.sge(0, 64));

        send(from, GROUP, LID, 8);

        gets(member, 8);
        leave(member);
        Expect.refused(VerbsStatus.EINVAL, "detaching again", () -> leave(member));
        member.ends(6);
    }

    private static void detached(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide stays = member(rig, "stays");
        UdSide leaves = member(rig, "leaves");

        leave(leaves);
        send(from, GROUP, LID, 8);

        gets(stays, 8);
        leave(stays);
        leaves.ends(5);
    }

    private static void detachUnattached(Rig rig) throws VerbsException {
        UdSide member = member(rig, "member");
        UdSide stranger = UdSide.active(rig, "stranger");

        Expect.refused(
                VerbsStatus.EINVAL,
                "detaching a stranger",
                () -> stranger.qp().detachMulticast(GROUP, LID));
        Expect.refused(
                VerbsStatus.EINVAL,
                "detaching from another group",
                () -> member.qp().detachMulticast(GROUP, LID + 1));

        leave(member);
    }

    private static void closeAttached(Rig rig) throws VerbsException {
        UdSide member = member(rig, "member");

        Expect.refused(VerbsStatus.EBUSY, "closing an attached QP", () -> member.qp().close());

        send(member, GROUP, LID, 8);
        gets(member, 8);
        leave(member);
        member.qp().close();
    }

    private static void attachInReset(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide member = UdSide.open(rig, "member", SideOptions.standard());

        member.attach(GROUP, LID);

        send(from, GROUP, LID, 7);
        member.activate();
        member.receive(5, member.sge(4096, 64));
        send(from, GROUP, LID, 8);
        gets(member, 8);
        leave(member);
    }

    private static void outlivesReset(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide member = member(rig, "member");

        member.to(QpState.RESET);

        member.activate();
        member.receive(5, member.sge(4096, 64));
        send(from, GROUP, LID, 8);
        gets(member, 8);
        leave(member);
    }

    private static void refuses(Rig rig, Gid gid, int lid) throws VerbsException {
        UdSide side = UdSide.active(rig, "side");

        Expect.refused(
                VerbsStatus.EINVAL, "attaching to " + gid + " " + lid, () -> side.attach(gid, lid));

        side.qp().close();
    }

    private static void otherQpn(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide member = member(rig, "member");
        AddressHandle ah = group(from, GROUP, LID);

        send(from, ah, member.qp().qpn(), 7);
        send(from, ah, 0xff_fffe, 6);
        send(from, ah, UdQueuePair.MULTICAST_QPN, 8);

        gets(member, 8);
        leave(member);
    }

    private static void emptyGroup(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide member = member(rig, "member");
        send(from, GROUP, LID, 8);
        gets(member, 8);
        leave(member);

        send(from, GROUP, LID, 8);

        from.expectState(QpState.RTS);
        member.ends();
    }

    private static void otherQkey(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide one = member(rig, "one");
        UdSide other =
                member(rig, "other Q_Key", SideOptions.standard().with(QpAttribute.QKEY, 77));

        send(from, GROUP, LID, 8);

        gets(one, 8);
        leave(one, other);
        other.ends(5);
    }

    private static void noReceive(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide empty = UdSide.active(rig, "without receive");
        empty.attach(GROUP, LID);
        UdSide member = member(rig, "member");

        send(from, GROUP, LID, 8);

        gets(member, 8);
        empty.expectState(QpState.RTS);
        leave(empty, member);
        empty.ends();
    }

    private static void badReceive(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide bad = UdSide.active(rig, "bad");
        bad.attach(GROUP, LID);
        bad.receive(5, new Sge(bad.at(0), 64, UcSide.NO_KEY));
        UdSide member = member(rig, "member");

        send(from, GROUP, LID, 8);

        bad.received(5, VerbsStatus.LOC_PROT_ERR);
        bad.expectState(QpState.ERR);
        gets(member, 8);
        member.expectState(QpState.RTS);
        leave(bad, member);
    }

    private static void quota(Rig rig) throws VerbsException {
        UdSide side = UdSide.active(rig, "side");
        int maximum = side.context().queryDevice().objects().maxMulticastGroups();
        for (int i = 0; i < maximum; i++) {
            side.attach(new Gid(GROUP.prefix(), i), LID);
        }

        VerbsException refusal =
                Expect.refused(
                        VerbsStatus.EAGAIN, "one attachment more", () -> side.attach(OTHER, LID));

        Expect.isTrue(
                Expect.text(refusal).contains("quota mcast: " + maximum + " of " + maximum),
                "refusal says " + Expect.text(refusal));
        side.qp().detachMulticast(new Gid(GROUP.prefix(), 0), LID);
        side.attach(OTHER, LID);
        side.qp().detachMulticast(OTHER, LID);
        for (int i = 1; i < maximum; i++) {
            side.qp().detachMulticast(new Gid(GROUP.prefix(), i), LID);
        }
    }
}
