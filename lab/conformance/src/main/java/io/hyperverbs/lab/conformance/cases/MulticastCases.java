package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Pattern;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.lab.conformance.rig.UdSide;
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
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;

/** Datagrams to groups: who gets them, and who may attach to what. */
@CaseGroup("multicast")
public final class MulticastCases {
    static final Gid GROUP = new Gid(0xff12_401b_ffff_0000L, 0x1111);
    static final Gid OTHER = new Gid(0xff12_401b_ffff_0000L, 0x2222);
    static final int LID = 0xc011;
    private static final int GRH = Grh.SIZE_BYTES;
    // More than the engine serves at once.
    private static final int MANY = 20;

    private static final String ALL = "every queue pair attached to a group gets its own copy (IBA 10.5)";

    private MulticastCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        cases.add("one-member", ALL, rig -> reaches(rig, 1));
        cases.add("two-members", ALL, rig -> reaches(rig, 2));
        cases.add("twenty-members", ALL, rig -> reaches(rig, MANY));
        cases.add("sender-needs-not-attach", "who only sends need not be attached (IBA 10.5)", rig -> reaches(rig, 1));
    }

    static AddressHandle group(UdSide from, Gid gid, int lid) throws VerbsException {
        return from.ah(new AddressAttributes(from.port(), lid, 0, 0, 0, GlobalRoute.to(gid)));
    }

    static UdSide member(Rig rig, String name) throws VerbsException {
        return member(rig, name, SideOptions.standard());
    }

    static UdSide member(Rig rig, String name, SideOptions options) throws VerbsException {
        UdSide side = UdSide.active(rig, name, options);
        side.attach(GROUP, LID);
        side.receive(5, side.sge(4096, 2048));
        return side;
    }

    static void leave(UdSide... members) throws VerbsException {
        for (UdSide member : members) {
            member.qp().detachMulticast(GROUP, LID);
        }
    }

    static void send(UdSide from, Gid gid, int lid, int lengthBytes) throws VerbsException {
        send(from, group(from, gid, lid), UdQueuePair.MULTICAST_QPN, lengthBytes);
    }

    static void send(UdSide from, AddressHandle ah, int qpn, int lengthBytes) {
        from.post(new SendWorkRequest.SendTo(
                1, SendFlags.SIGNALLED, List.of(from.sge(0, lengthBytes)), ah.number(), qpn, UdSide.QKEY));
        from.sent(1, VerbsStatus.SUCCESS);
    }

    static void gets(UdSide member, int lengthBytes) {
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
            UdSide member = UdSide.open(rig, context, "member " + i, SideOptions.standard())
                    .activate();
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

    @Case("a sender that is attached gets its own datagram too: choice")
    static void senderIsAMember(Rig rig) throws VerbsException {
        UdSide from = member(rig, "sender");
        UdSide other = member(rig, "other");

        send(from, GROUP, LID, 8);

        gets(from, 8);
        gets(other, 8);
        leave(from, other);
    }

    @Case("each port with members gets a copy (IBA 10.5)")
    static void membersOnBothPorts(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide one = member(rig, "port 1");
        UdSide two = member(rig, "port 2", SideOptions.standard().with(QpAttribute.PORT, 2));

        send(from, GROUP, LID, 8);

        gets(one, 8);
        gets(two, 8);
        leave(one, two);
    }

    @Case("a queue pair gets datagrams of its groups alone (ibv_attach_mcast)")
    static void notAttachedHearsNothing(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide member = member(rig, "member");
        UdSide stranger = UdSide.active(rig, "stranger");
        stranger.receive(5, stranger.sge(0, 2048));

        send(from, GROUP, LID, 8);

        gets(member, 8);
        leave(member);
        stranger.ends(5);
    }

    @Case("a queue pair may be in several groups (ibv_attach_mcast)")
    static void twoGroupsOfOneQueuePair(Rig rig) throws VerbsException {
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

    @Case("a group is GID and LID together (ibv_attach_mcast)")
    static void sameGidOtherLid(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide member = member(rig, "member");

        send(from, GROUP, LID + 1, 7);
        send(from, OTHER, LID, 6);
        send(from, GROUP, LID, 8);

        gets(member, 8);
        leave(member);
    }

    @Case("attaching again changes nothing (ibv_attach_mcast)")
    static void attachedTwiceGetsOne(Rig rig) throws VerbsException {
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

    @Case("when ibv_detach_mcast returns no datagram of the group comes any more")
    static void detachedGetsNothing(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide stays = member(rig, "stays");
        UdSide leaves = member(rig, "leaves");

        leave(leaves);
        send(from, GROUP, LID, 8);

        gets(stays, 8);
        leave(stays);
        leaves.ends(5);
    }

    @Case("detaching without being attached: EINVAL (ibv_detach_mcast)")
    static void detachWhatIsNotAttached(Rig rig) throws VerbsException {
        UdSide member = member(rig, "member");
        UdSide stranger = UdSide.active(rig, "stranger");

        Expect.refused(
                VerbsStatus.EINVAL, "detaching a stranger", () -> stranger.qp().detachMulticast(GROUP, LID));
        Expect.refused(
                VerbsStatus.EINVAL,
                "detaching from another group",
                () -> member.qp().detachMulticast(GROUP, LID + 1));

        leave(member);
    }

    @Case("an attached queue pair is in use: EBUSY (ibv_destroy_qp)")
    static void attachedCannotBeClosed(Rig rig) throws VerbsException {
        UdSide member = member(rig, "member");

        Expect.refused(
                VerbsStatus.EBUSY, "closing an attached QP", () -> member.qp().close());

        send(member, GROUP, LID, 8);
        gets(member, 8);
        leave(member);
        member.qp().close();
    }

    @Case("a queue pair attaches in any state and hears from RTR on: choice")
    static void attachInReset(Rig rig) throws VerbsException {
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

    @Case("RESET does not detach: choice")
    static void attachmentOutlivesReset(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide member = member(rig, "member");

        member.to(QpState.RESET);

        member.activate();
        member.receive(5, member.sge(4096, 64));
        send(from, GROUP, LID, 8);
        gets(member, 8);
        leave(member);
    }
}
