package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.UdSide;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.AddressHandle;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.GlobalRoute;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.verbs.sa.PathRecord;
import io.hyperverbs.verbs.sa.SubnetAdministration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Address handles: what they take, who may use them, how long they live. */
@CaseGroup("ah")
public final class AhCases {
    private static final Gid GROUP = new Gid(0xff12_401b_ffff_0000L, 0x77);
    private static final Gid NOWHERE = new Gid(Gid.LINK_LOCAL_PREFIX, 0x77);

    private static final String NOT_IN_PD =
            "a number that is no handle of the queue pair's PD: LOC_QP_OP_ERR, SQE; the number is named: choice";

    private AhCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        for (Map.Entry<String, AddressAttributes> bad : new TreeMap<>(bad()).entrySet()) {
            cases.add(
                    "refuses-" + bad.getKey(),
                    "an attribute out of range: EINVAL, and nothing is made (ibv_create_ah)",
                    rig -> refuses(rig, bad.getValue()));
        }
        for (String way : List.of("lid", "gid", "lid-and-gid")) {
            cases.add(
                    "to-port-by-" + way,
                    "a handle leads to a port by its LID, its GID or both (ibv_create_ah)",
                    rig -> leadsTo(rig, way));
        }
        for (String way : List.of("gid", "path-record")) {
            cases.add(
                    "to-guest-by-" + way,
                    "a handle leads to a guest by the GID that path records name",
                    rig -> leadsTo(rig, "guest-" + way));
        }
        List<String> astray = List.of("unknown-lid", "unknown-gid", "gid-of-another-lid", "gid-of-no-guest");
        for (String way : astray) {
            cases.add(
                    way + "-drops",
                    "a handle may name a port that is not there; its datagrams are lost: choice",
                    rig -> leadsNowhere(rig, way));
        }
        cases.add("number-of-nothing", NOT_IN_PD, rig -> fails(rig, 0x12_3456));
        cases.add("no-number-at-all", NOT_IN_PD, rig -> fails(rig, 0));
        cases.add("negative-number", NOT_IN_PD, rig -> fails(rig, -1));
    }

    private static AddressAttributes of(int port, int lid, int serviceLevel, int pathBits, int rate) {
        return new AddressAttributes(port, lid, serviceLevel, pathBits, rate, null);
    }

    private static AddressAttributes routed(int lid, GlobalRoute route) {
        return AddressAttributes.of(lid).withRoute(route);
    }

    private static Map<String, AddressAttributes> bad() {
        Map<String, AddressAttributes> bad = new TreeMap<>();
        bad.put("port-0", of(0, 1, 0, 0, 0));
        bad.put("port-3", of(3, 1, 0, 0, 0));
        bad.put("port-negative", of(-1, 1, 0, 0, 0));
        bad.put("lid-0-without-gid", of(1, 0, 0, 0, 0));
        bad.put("lid-negative", of(1, -1, 0, 0, 0));
        bad.put("lid-permissive", of(1, 0xffff, 0, 0, 0));
        bad.put("lid-of-17-bits", of(1, 0x1_0001, 0, 0, 0));
        bad.put("sl-16", of(1, 1, 16, 0, 0));
        bad.put("sl-negative", of(1, 1, -1, 0, 0));
        bad.put("path-bits-without-lmc", of(1, 1, 0, 1, 0));
        bad.put("static-rate-256", of(1, 1, 0, 0, 256));
        bad.put("static-rate-negative", of(1, 1, 0, 0, -1));
        bad.put("flow-label-of-21-bits", routed(1, new GlobalRoute(NOWHERE, 1 << 20, 0, 1, 0)));
        bad.put("sgid-index-1", routed(1, new GlobalRoute(NOWHERE, 0, 1, 1, 0)));
        bad.put("sgid-index-negative", routed(1, new GlobalRoute(NOWHERE, 0, -1, 1, 0)));
        bad.put("hop-limit-256", routed(1, new GlobalRoute(NOWHERE, 0, 0, 256, 0)));
        bad.put("traffic-class-256", routed(1, new GlobalRoute(NOWHERE, 0, 0, 1, 256)));
        bad.put("group-lid-without-gid", of(1, 0xc001, 0, 0, 0));
        bad.put("group-gid-without-lid", AddressAttributes.of(GROUP));
        bad.put("group-gid-with-port-lid", AddressAttributes.ofGroup(GROUP, 1));
        bad.put("port-gid-with-group-lid", AddressAttributes.ofGroup(NOWHERE, 0xc001));
        return bad;
    }

    private static void refuses(Rig rig, AddressAttributes bad) throws VerbsException {
        ProtectionDomain pd = rig.closing(rig.context().allocatePd());

        Expect.refused(VerbsStatus.EINVAL, bad.toString(), () -> pd.createAh(bad));

        pd.close();
    }

    private static void leadsTo(Rig rig, String way) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide to = UdSide.active(rig, "receiver");
        Gid gid = to.context().queryGid(1, 0);
        PathRecord path = SubnetAdministration.of(from.context())
                .path(Destination.guest(rig.domain().name()));
        AddressAttributes attributes = switch (way) {
            case "lid" -> AddressAttributes.of(to.lid());
            case "gid" -> AddressAttributes.of(gid);
            case "guest-gid" -> AddressAttributes.of(path.destinationGid());
            case "guest-path-record" -> routed(path.destinationLid(), GlobalRoute.to(path.destinationGid()));
            default -> routed(to.lid(), GlobalRoute.to(gid));
        };
        to.receive(5, to.sge(0, 64));

        AddressHandle ah = from.ah(attributes);

        Expect.equal(attributes, ah.attributes(), "attributes of the handle");
        from.send(to, ah, 1, from.sge(0, 8));
        WorkCompletion found = to.received(5, VerbsStatus.SUCCESS);
        Expect.equal(48, found.byteCount(), "bytes received");
        Expect.equal(!way.equals("lid"), found.hasGrh(), "IBV_WC_GRH");
    }

    private static void leadsNowhere(Rig rig, String way) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide to = UdSide.active(rig, "receiver");
        to.receive(5, to.sge(0, 64));
        Gid own = SubnetAdministration.of(to.context()).gid();
        AddressAttributes attributes = switch (way) {
            case "gid-of-no-guest" -> AddressAttributes.of(new Gid(own.prefix(), own.interfaceId() ^ 0x8000L << 24));
            case "unknown-lid" -> AddressAttributes.of(0xbfff);
            case "unknown-gid" -> AddressAttributes.of(NOWHERE);
            default -> routed(to.lid(), GlobalRoute.to(to.context().queryGid(2, 0)));
        };

        from.send(to, from.ah(attributes), 1, from.sge(0, 8));

        from.nothingArrived(to, from.ah(to), 5);
    }

    private static void fails(Rig rig, int number) throws VerbsException {
        fails(UdSide.active(rig, "sender"), number);
    }

    private static void fails(UdSide from, int number) throws VerbsException {
        from.post(new SendWorkRequest.SendTo(
                1,
                SendFlags.SIGNALLED,
                List.of(from.sge(0, 8)),
                number,
                from.qp().qpn(),
                from.qkey()));

        WorkCompletion failed = from.sent(1, VerbsStatus.LOC_QP_OP_ERR);
        Expect.equal(VendorError.AH_NOT_IN_PD, failed.vendorError(), "vendor_err");
        Expect.equal(number, failed.faultKey(), "number named");
        from.expectState(QpState.SQE);
    }

    @Case(NOT_IN_PD)
    static void ofAnotherPd(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide other = UdSide.active(rig, "other");

        fails(from, other.ah(from).number());
    }

    @Case(NOT_IN_PD)
    static void afterDestruction(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        AddressHandle ah = from.ah(from);
        from.receive(5, from.sge(0, 64));
        from.send(from, ah, 1);
        from.received(5, VerbsStatus.SUCCESS);

        ah.close();

        fails(from, ah.number());
    }

    @Case("a handle for another port than the queue pair's: LOC_QP_OP_ERR, SQE (IBV_DEVICE_UD_AV_PORT_ENFORCE)")
    static void ofAnotherPort(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        AddressHandle ah = from.ah(of(2, from.lid(), 0, 0, 0));

        from.post(from.to(from, ah, 1, from.sge(0, 8)));

        WorkCompletion failed = from.sent(1, VerbsStatus.LOC_QP_OP_ERR);
        Expect.equal(VendorError.AH_OTHER_PORT, failed.vendorError(), "vendor_err");
        from.expectState(QpState.SQE);
    }

    @Case("a PD with address handles is in use: EBUSY (ibv_dealloc_pd)")
    static void keepsItsPd(Rig rig) throws VerbsException {
        ProtectionDomain pd = rig.closing(rig.context().allocatePd());
        AddressHandle ah = pd.createAh(AddressAttributes.of(1));

        Expect.refused(VerbsStatus.EBUSY, "closing a PD with a handle", pd::close);

        ah.close();
        pd.close();
    }

    @Case("a handle cannot be made in a PD that is gone: EINVAL")
    static void inClosedPd(Rig rig) throws VerbsException {
        ProtectionDomain pd = rig.context().allocatePd();
        pd.close();

        Expect.refused(VerbsStatus.EINVAL, "a handle in a closed PD", () -> pd.createAh(AddressAttributes.of(1)));
    }

    @Case("every queue pair of the PD may use a handle (ibv_create_ah)")
    static void sharedByQueuePairs(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide to = UdSide.active(rig, "receiver");
        AddressHandle ah = from.ah(to);
        UdQueuePair second = rig.closing(from.pd().createUd(QpLimits.of(4, 4), from.sendCq(), from.receiveCq()));
        second.activate(UdSide.QKEY, 0);
        to.receive(5, to.sge(0, 64));
        to.receive(6, to.sge(0, 64));
        from.send(to, ah, 1);
        to.received(5, VerbsStatus.SUCCESS);

        VerbsStatus posted = second.postSend(new SendWorkRequest.SendTo(
                2, SendFlags.SIGNALLED, List.of(), ah.number(), to.qp().qpn(), to.qkey()));

        Expect.equal(VerbsStatus.SUCCESS, posted, "post_send");
        Expect.equal(second.qpn(), to.received(6, VerbsStatus.SUCCESS).sourceQpn(), "src_qp");
        Expect.equal(second.qpn(), from.sends().next().qpn(), "qp_num of the send");
    }

    @Case("no two handles of a PD have one number, nor a number in order: choice")
    static void numbersDiffer(Rig rig) throws VerbsException {
        ProtectionDomain pd = rig.closing(rig.context().allocatePd());
        Set<Integer> numbers = new HashSet<>();
        boolean ordered = true;
        int last = 0;
        for (int i = 0; i < 32; i++) {
            int number = rig.closing(pd.createAh(AddressAttributes.of(1))).number();
            Expect.isTrue(numbers.add(number), "two handles have number " + number);
            ordered &= number > last;
            last = number;
        }
        Expect.isTrue(!ordered, "32 numbers in ascending order");
    }

    @Case("a quota used up: EAGAIN naming it; what is given back can be had again: choice")
    static void quota(Rig rig) throws VerbsException {
        Context context = rig.context();
        ProtectionDomain pd = rig.closing(context.allocatePd());
        int maximum = context.queryDevice().objects().maxAh();
        List<AddressHandle> made = new ArrayList<>();
        for (int i = 0; i < maximum; i++) {
            made.add(rig.closing(pd.createAh(AddressAttributes.of(1))));
        }

        VerbsException refusal =
                Expect.refused(VerbsStatus.EAGAIN, "one handle more", () -> pd.createAh(AddressAttributes.of(1)));

        Expect.isTrue(
                Expect.text(refusal).contains("quota ah: " + maximum + " of " + maximum),
                "refusal says " + Expect.text(refusal));
        made.getFirst().close();
        rig.closing(pd.createAh(AddressAttributes.of(1)));
    }
}
