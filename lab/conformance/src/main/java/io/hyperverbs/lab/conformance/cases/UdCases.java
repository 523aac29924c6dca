package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Pattern;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.lab.conformance.rig.UcSide;
import io.hyperverbs.lab.conformance.rig.UdSide;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.AddressHandle;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.GlobalRoute;
import io.hyperverbs.verbs.Grh;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.WorkCompletion.Opcode;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** What datagrams carry when nothing is wrong. */
@CaseGroup("ud")
public final class UdCases {
    private static final int GRH = Grh.SIZE_BYTES;
    // Nothing, one byte, one short of and exactly the largest.
    private static final int[] SIZES = {0, 1, 2047, 2048};

    private UdCases() {}

    @CaseFamily
    static void states(CaseList cases) {
        SqeCases.add(cases, rig -> UdSide.open(rig, "side", SideOptions.standard()));
    }

    @CaseFamily
    static void families(CaseList cases) {
        for (int size : SIZES) {
            cases.add(
                    "send-of-" + size,
                    "a datagram arrives behind 40 bytes that are left alone without a GRH (ibv_post_recv, IBA"
                            + " 11.4.1.2)",
                    rig -> carries(rig, size));
        }
        cases.add(
                "reply-by-completion",
                "the address in a completion leads back to the sender (ibv_init_ah_from_wc)",
                rig -> reply(rig, false));
        cases.add(
                "reply-by-header",
                "the GRH of a datagram leads back to the sender (ibv_init_ah_from_wc)",
                rig -> reply(rig, true));
    }

    private static void carries(Rig rig, int lengthBytes) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide to = UdSide.active(rig, "receiver");
        Pattern.fill(from.buffer(), 0, lengthBytes, 1);
        Pattern.blank(to.buffer());
        to.receive(5, to.sge(0, 8192));

        from.send(to, from.ah(to), 1, from.sge(0, lengthBytes));

        WorkCompletion found = to.received(5, VerbsStatus.SUCCESS);
        Expect.equal(Opcode.RECV, found.opcode(), "opcode of the receive");
        Expect.equal(GRH + lengthBytes, found.byteCount(), "bytes received, header included");
        Expect.isTrue(!found.hasGrh(), "IBV_WC_GRH without a header");
        Expect.isTrue(!found.hasImmediate(), "IBV_WC_WITH_IMM without immediate");
        Pattern.expectAlone(to.buffer(), GRH, lengthBytes, 1, "data");
        from.ends();
        to.ends();
    }

    @Case("a datagram may carry immediate data (ibv_post_send)")
    static void sendImmDelivers(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide to = UdSide.active(rig, "receiver");
        to.receive(5, to.sge(0, 8192));

        from.post(new SendWorkRequest.SendToWithImmediate(
                1,
                SendFlags.SIGNALLED,
                List.of(from.sge(0, 8)),
                from.ah(to).number(),
                to.qp().qpn(),
                to.qkey(),
                Operation.IMMEDIATE));

        Expect.equal(Opcode.SEND, from.sent(1, VerbsStatus.SUCCESS).opcode(), "opcode");
        WorkCompletion found = to.received(5, VerbsStatus.SUCCESS);
        Expect.isTrue(found.hasImmediate(), "IBV_WC_WITH_IMM is missing");
        Expect.equal(Operation.IMMEDIATE, found.immediate(), "immediate data");
        Expect.equal(GRH + 8, found.byteCount(), "bytes received");
    }

    private static AddressAttributes global(UdSide to) throws VerbsException {
        Gid gid = to.context().queryGid(to.port(), 0);
        return new AddressAttributes(1, to.lid(), 5, 0, 0, new GlobalRoute(gid, 0xabcde, 0, 63, 0x7f));
    }

    @Case("with a GRH the 40 bytes are the header that was sent (IBA 8.3, ibv_grh)")
    static void grhSaysWhatTheHandleSaid(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide to = UdSide.active(rig, "receiver");
        to.receive(5, to.sge(0, 8192));

        from.send(to, from.ah(global(to)), 1, from.sge(0, 13));

        WorkCompletion found = to.received(5, VerbsStatus.SUCCESS);
        Expect.isTrue(found.hasGrh(), "IBV_WC_GRH is missing");
        Expect.equal(6, Grh.version(to.buffer(), 0), "version");
        Expect.equal(0x7f, Grh.trafficClass(to.buffer(), 0), "traffic class");
        Expect.equal(0xabcde, Grh.flowLabel(to.buffer(), 0), "flow label");
        Expect.equal(Grh.NEXT_HEADER, Grh.nextHeader(to.buffer(), 0), "next header");
        Expect.equal(63, Grh.hopLimit(to.buffer(), 0), "hop limit");
        // BTH and DETH before, padding and the invariant CRC behind.
        Expect.equal(12 + 8 + 16 + 4, Grh.payloadBytes(to.buffer(), 0), "payload length");
        Expect.equal(from.context().queryGid(1, 0), Grh.source(to.buffer(), 0), "source GID");
        Expect.equal(to.context().queryGid(1, 0), Grh.destination(to.buffer(), 0), "destination GID");
    }

    @Case("the pieces of a receive take header and payload as one run of bytes")
    static void grhSpansPieces(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide to = UdSide.active(rig, "receiver");
        Pattern.fill(from.buffer(), 0, 100, 1);
        to.receive(5, to.sge(1000, 10), to.sge(2000, 40), to.sge(3000, 90));

        from.send(to, from.ah(global(to)), 1, from.sge(0, 1), from.sge(1, 59), from.sge(60, 40));

        Expect.equal(GRH + 100, to.received(5, VerbsStatus.SUCCESS).byteCount(), "bytes");
        Expect.equal(6, Grh.version(to.buffer(), 1000), "version");
        Pattern.expect(to.buffer(), 2030, 10, 1, "data in the second piece");
        for (int i = 10; i < 100; i++) {
            Expect.equal(Pattern.at(1, i), to.buffer().get(ValueLayout.JAVA_BYTE, 2990 + i), "byte " + i);
        }
    }

    @Case("a receive names src_qp, slid and sl of its datagram (ibv_poll_cq)")
    static void completionNamesTheSender(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide to = UdSide.active(rig, "receiver");
        to.receive(5, to.sge(0, 8192));

        from.send(to, from.ah(AddressAttributes.of(to.lid()).withServiceLevel(11)), 1);

        WorkCompletion found = to.received(5, VerbsStatus.SUCCESS);
        Expect.equal(from.qp().qpn(), found.sourceQpn(), "src_qp");
        Expect.equal(from.lid(), found.sourceLid(), "slid");
        Expect.equal(11, found.serviceLevel(), "sl");
        Expect.equal(0, found.pkeyIndex(), "pkey_index");
        Expect.equal(to.qp().qpn(), found.qpn(), "qp_num");
    }

    @Case("one queue pair takes datagrams of any number of others (IBA 9.8.3)")
    static void oneReceiverManySenders(Rig rig) throws VerbsException {
        UdSide to = UdSide.active(rig, "receiver");
        for (int i = 0; i < 4; i++) {
            UdSide from = UdSide.active(rig, "sender " + i);
            to.receive(5, to.sge(0, 8192));

            from.send(to, from.ah(to), 1, from.sge(0, i));

            WorkCompletion found = to.received(5, VerbsStatus.SUCCESS);
            Expect.equal(from.qp().qpn(), found.sourceQpn(), "src_qp");
            Expect.equal(GRH + i, found.byteCount(), "bytes");
        }
    }

    @Case("each request names its own destination (IBA 9.8.3)")
    static void oneSenderManyReceivers(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide one = UdSide.active(rig, "one");
        UdSide other = UdSide.active(rig, "other");
        AddressHandle ah = from.ah(one);
        for (UdSide to : List.of(one, other)) {
            to.receive(5, to.sge(0, 8192));
            to.receive(6, to.sge(0, 8192));
        }

        from.post(
                from.to(one, ah, 1, from.sge(0, 1)),
                from.to(other, ah, 2, from.sge(0, 2)),
                from.to(one, ah, 3, from.sge(0, 3)),
                from.to(other, ah, 4, from.sge(0, 4)));

        for (int wrId = 1; wrId <= 4; wrId++) {
            from.sent(wrId, VerbsStatus.SUCCESS);
        }
        Expect.equal(GRH + 1, one.received(5, VerbsStatus.SUCCESS).byteCount(), "bytes");
        Expect.equal(GRH + 3, one.received(6, VerbsStatus.SUCCESS).byteCount(), "bytes");
        Expect.equal(GRH + 2, other.received(5, VerbsStatus.SUCCESS).byteCount(), "bytes");
        Expect.equal(GRH + 4, other.received(6, VerbsStatus.SUCCESS).byteCount(), "bytes");
    }

    private static void reply(Rig rig, boolean withHeader) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide to = UdSide.active(rig, "receiver");
        from.receive(6, from.sge(0, 8192));
        to.receive(5, to.sge(0, 8192));
        AddressHandle ah = withHeader ? from.ah(global(to)) : from.ah(AddressAttributes.of(to.lid()));
        from.send(to, ah, 1, from.sge(0, 8));
        WorkCompletion found = to.received(5, VerbsStatus.SUCCESS);

        AddressAttributes back = AddressAttributes.replyTo(found, 1, to.buffer(), 0);

        Expect.equal(from.lid(), back.lid(), "LID");
        Expect.equal(withHeader, back.route() != null, "whether the reply has a GRH");
        to.send(from, to.ah(back), 2, to.sge(0, 9));
        WorkCompletion answer = from.received(6, VerbsStatus.SUCCESS);
        Expect.equal(GRH + 9, answer.byteCount(), "bytes of the reply");
        Expect.equal(withHeader, answer.hasGrh(), "IBV_WC_GRH of the reply");
        Expect.equal(ah.attributes().serviceLevel(), answer.serviceLevel(), "sl of the reply");
    }

    @Case("a queue pair may send to itself: loopback (IBA 17.2.2)")
    static void toItself(Rig rig) throws VerbsException {
        UdSide side = UdSide.active(rig, "side");
        Pattern.fill(side.buffer(), 0, 100, 1);
        side.receive(5, side.sge(4096, 140));

        side.send(side, side.ah(side), 1, side.sge(0, 100));

        Expect.equal(side.qp().qpn(), side.received(5, VerbsStatus.SUCCESS).sourceQpn(), "src_qp");
        Pattern.expect(side.buffer(), 4096 + GRH, 100, 1, "data");
    }

    @Case("inline data: the lkey is not checked (ibv_post_send)")
    static void inlineNeedsNoKey(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide to = UdSide.active(rig, "receiver");
        Pattern.fill(from.buffer(), 0, 48, 1);
        to.receive(5, to.sge(0, 8192));

        from.post(new SendWorkRequest.SendTo(
                1,
                SendFlags.SIGNALLED | SendFlags.INLINE,
                List.of(new Sge(from.at(0), 48, UcSide.NO_KEY)),
                from.ah(to).number(),
                to.qp().qpn(),
                to.qkey()));
        Pattern.blank(from.buffer());

        from.sent(1, VerbsStatus.SUCCESS);
        to.received(5, VerbsStatus.SUCCESS);
        Pattern.expect(to.buffer(), GRH, 48, 1, "data as it was when posted");
    }

    @Case("both tiers of posting name destinations alike")
    static void postingWithoutRecords(Rig rig) throws VerbsException {
        UdSide from = UdSide.active(rig, "sender");
        UdSide to = UdSide.active(rig, "receiver");
        Pattern.fill(from.buffer(), 0, 16, 1);
        to.receive(5, to.sge(0, 8192));

        VerbsStatus status = from.qp()
                .sends()
                .start()
                .send(1, SendFlags.SIGNALLED)
                .to(from.ah(to).number(), to.qp().qpn(), to.qkey())
                .sge(from.region().lkey(), from.at(0), 16)
                .post();

        Expect.equal(VerbsStatus.SUCCESS, status, "post_send");
        from.sent(1, VerbsStatus.SUCCESS);
        to.received(5, VerbsStatus.SUCCESS);
        Pattern.expect(to.buffer(), GRH, 16, 1, "data");
    }

    @Case("a request of another transport names no destination: EINVAL at post, choice")
    static void destinationOfConnectedRequest(Rig rig) throws VerbsException {
        UcSide.Pair pair = UcSide.pair(rig);
        Side connected = rig.pair().requester();
        SendWorkRequest request = new SendWorkRequest.SendTo(1, SendFlags.SIGNALLED, List.of(), 2, 3, 4);

        Expect.equal(VerbsStatus.EINVAL, pair.requester().qp().postSend(request), "post_send of UC");
        Expect.equal(VerbsStatus.EINVAL, connected.qp().postSend(request), "post_send of RC");
        pair.requester().sends().pollsEmpty();
    }
}
