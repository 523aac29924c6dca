package io.hyperverbs.lab.walk.agent;

import static io.hyperverbs.lab.walk.agent.Holdings.there;

import io.hyperverbs.lab.walk.step.Place;
import io.hyperverbs.lab.walk.step.SendRequest;
import io.hyperverbs.lab.walk.step.SlotKind;
import io.hyperverbs.lab.walk.step.Slots;
import io.hyperverbs.lab.walk.step.Step;
import io.hyperverbs.lab.walk.step.StepVerb;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.AddressHandle;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.QueuePair;
import io.hyperverbs.verbs.ReceiveWorkRequest;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.Sge;
import io.hyperverbs.verbs.SharedReceiveQueue;
import io.hyperverbs.verbs.SrqAttributes;
import io.hyperverbs.verbs.SrqLimits;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsObject;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WindowBinding;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.StringJoiner;

/** Does one step through the public API. */
final class StepExecutor {
    private final Holdings held;

    StepExecutor(Holdings held) {
        this.held = held;
    }

    /**
     * @return the status, and behind it what the verb gave
     */
    String perform(Step step, long firstWrId) {
        try {
            return answer(step, firstWrId);
        } catch (VerbsException e) {
            return e.status().name();
        } catch (RuntimeException e) {
            // Whatever it is, it is no answer of a verb.
            return "THROWN " + e.toString().replace('\n', ' ');
        }
    }

    private String answer(Step step, long firstWrId) throws VerbsException {
        return switch (step) {
            case Step.OpenPd s ->
                opened(SlotKind.PD, s.pd(), context(s.context()).allocatePd());
            case Step.OpenCq s ->
                opened(SlotKind.CQ, s.cq(), context(s.context()).createCq(s.entries(), null));
            case Step.OpenRegion s -> open(s);
            case Step.OpenQp s -> open(s);
            case Step.Close s -> {
                held.close(s.kind(), s.slot());
                yield VerbsStatus.SUCCESS.name();
            }
            case Step.OpenAh s -> open(s);
            case Step.OpenWindow s -> open(s);
            case Step.Bind s -> bind(s, firstWrId);
            case Step.OpenSrq s -> open(s);
            case Step.PostShared s ->
                srq(s.srq()).postReceive(receives(s.receives(), firstWrId)).name();
            case Step.ArmLimit s -> {
                srq(s.srq()).armLimit(s.limit());
                yield VerbsStatus.SUCCESS.name();
            }
            case Step.Resize s -> {
                srq(s.srq()).resize(s.receives());
                yield VerbsStatus.SUCCESS + " " + srq(s.srq()).limits().receiveWr();
            }
            case Step.QuerySrq s -> query(s);
            case Step.Modify s -> modify(s);
            case Step.PostSend s -> post(s, firstWrId);
            case Step.PostReceive s ->
                held.qp(s.qp()).postReceive(receives(s.receives(), firstWrId)).name();
            case Step.Query s -> query(s);
            case Step.Fill s -> fill(s);
        };
    }

    private String opened(SlotKind kind, int slot, VerbsObject object) {
        held.put(kind, slot, object);
        return VerbsStatus.SUCCESS.name();
    }

    private String open(Step.OpenAh s) throws VerbsException {
        AddressHandle ah =
                held.pd(s.pd()).createAh(AddressAttributes.of(s.lid()).withServiceLevel(s.serviceLevel()));
        held.ahs[s.ah()] = ah.number();
        return opened(SlotKind.AH, s.ah(), ah);
    }

    private String query(Step.QuerySrq s) throws VerbsException {
        SrqAttributes found = srq(s.srq()).query();
        return String.format(
                "%s RECEIVE_WR=%d RECEIVE_SGE=%d LIMIT=%d",
                VerbsStatus.SUCCESS, found.limits().receiveWr(), found.limits().receiveSge(), found.limit());
    }

    private String fill(Step.Fill s) {
        byte[] bytes = new byte[s.length()];
        new Random(s.seed()).nextBytes(bytes);
        held.arena.asSlice(s.offset(), s.length()).copyFrom(MemorySegment.ofArray(bytes));
        return VerbsStatus.SUCCESS.name();
    }

    private Context context(int slot) {
        return there(held.contexts[slot], "context");
    }

    private CompletionQueue cq(int slot) {
        return there(held.cq(slot), "completion queue");
    }

    private SharedReceiveQueue srq(int slot) {
        return held.get(SlotKind.SRQ, slot, SharedReceiveQueue.class);
    }

    private MemoryWindow window(int slot) {
        return held.get(SlotKind.WINDOW, slot, MemoryWindow.class);
    }

    private String open(Step.OpenWindow s) throws VerbsException {
        MemoryWindow window = held.pd(s.pd()).allocateWindow(MemoryWindow.Type.of(s.type()));
        held.put(SlotKind.WINDOW, s.window(), window);
        held.learnWindow(s.window(), window.rkey(), held.arena.address());
        return VerbsStatus.SUCCESS + " " + window.rkey() + " " + held.arena.address();
    }

    private String bind(Step.Bind s, long wrId) {
        SendRequest request = s.request();
        MemoryWindow window = window(request.window());
        VerbsStatus status = held.qp(s.qp()).bind(wrId, request.flags(), window, binding(request));
        return status + " " + window.rkey();
    }

    private WindowBinding binding(SendRequest request) {
        return new WindowBinding(
                held.lastRegion(request.remote().key()),
                held.address(request.remote()),
                request.remote().length(),
                Access.of(request.bindAccess()));
    }

    private String open(Step.OpenSrq s) throws VerbsException {
        SharedReceiveQueue srq = held.pd(s.pd()).createSrq(new SrqLimits(s.receives(), s.pieces()));
        held.put(SlotKind.SRQ, s.srq(), srq);
        return VerbsStatus.SUCCESS + " " + srq.srqn() + " " + srq.limits().receiveWr();
    }

    private String open(Step.OpenRegion s) throws VerbsException {
        MemoryRegion region =
                held.pd(s.pd()).register(held.arena.asSlice(s.offset(), s.length()), Access.of(s.access()));
        held.keep(s.region(), region);
        held.learnRegion(s.region(), region.lkey(), region.rkey(), held.arena.address());
        return VerbsStatus.SUCCESS + " " + region.lkey() + " " + region.rkey() + " " + held.arena.address();
    }

    private String open(Step.OpenQp s) throws VerbsException {
        QpLimits limits =
                new QpLimits(s.sends(), s.receives(), s.pieces(), s.pieces(), s.inlineBytes(), s.allSignalled());
        ProtectionDomain pd = held.pd(s.pd());
        CompletionQueue sendCq = cq(s.sendCq());
        CompletionQueue receiveCq = cq(s.receiveCq());
        QueuePair qp;
        if (s.type() == QpType.UD) {
            qp = pd.createUd(limits, sendCq, receiveCq);
        } else if (s.type() == QpType.UC) {
            qp = pd.createUc(limits, sendCq, receiveCq);
        } else if (s.srq() == Slots.NONE) {
            qp = pd.createRc(limits, sendCq, receiveCq);
        } else {
            qp = pd.createRc(limits, sendCq, receiveCq, srq(s.srq()));
        }
        held.put(SlotKind.QP, s.qp(), qp);
        held.learnQp(s.qp(), qp.qpn());
        return VerbsStatus.SUCCESS
                + " "
                + qp.qpn()
                + " "
                + qp.limits().sendWr()
                + " "
                + qp.limits().receiveWr();
    }

    private String modify(Step.Modify s) throws VerbsException {
        QpAttributes attributes = QpAttributes.none();
        for (Map.Entry<QpAttribute, Long> entry : s.values().entrySet()) {
            long value = entry.getValue();
            attributes =
                    attributes.with(entry.getKey(), entry.getKey() == QpAttribute.DEST_QPN ? held.qpn(value) : value);
        }
        held.qp(s.qp()).modify(attributes);
        return VerbsStatus.SUCCESS.name();
    }

    private String query(Step.Query s) throws VerbsException {
        StringJoiner line = new StringJoiner(" ");
        line.add(VerbsStatus.SUCCESS.name());
        held.qp(s.qp()).query().values().forEach((name, value) -> line.add(name + "=" + value));
        return line.toString();
    }

    private String post(Step.PostSend s, long firstWrId) {
        List<SendWorkRequest> requests = new ArrayList<>();
        long wrId = firstWrId;
        for (SendRequest request : s.requests()) {
            requests.add(request(request, wrId++));
        }
        return held.qp(s.qp()).postSend(requests).name();
    }

    private SendWorkRequest request(SendRequest r, long wrId) {
        List<Sge> pieces = pieces(r.pieces(), r.isInline());
        if (r.verb().isDatagram()) {
            return datagram(r, wrId, pieces);
        }
        long remote = held.address(r.remote());
        int rkey = held.rkey(r.remote());
        return switch (r.verb()) {
            case SEND -> new SendWorkRequest.Send(wrId, r.flags(), pieces);
            case SEND_IMM -> new SendWorkRequest.SendWithImmediate(wrId, r.flags(), pieces, (int) r.first());
            case WRITE -> new SendWorkRequest.RdmaWrite(wrId, r.flags(), pieces, remote, rkey);
            case WRITE_IMM ->
                new SendWorkRequest.RdmaWriteWithImmediate(wrId, r.flags(), pieces, remote, rkey, (int) r.first());
            case READ -> new SendWorkRequest.RdmaRead(wrId, r.flags(), pieces, remote, rkey);
            case SWAP ->
                new SendWorkRequest.CompareAndSwap(wrId, r.flags(), pieces, remote, rkey, r.first(), r.second());
            case DATAGRAM, DATAGRAM_IMM -> throw new IllegalStateException("datagrams have another form");
            case SEND_INV -> new SendWorkRequest.SendWithInvalidate(wrId, r.flags(), pieces, rkey);
            case LOCAL_INV -> new SendWorkRequest.LocalInvalidate(wrId, r.flags(), rkey);
            case BIND ->
                new SendWorkRequest.BindWindow(
                        wrId, r.flags(), window(r.window()), held.windowKey(r.window(), r.bindTag()), binding(r));
            case ADD -> new SendWorkRequest.FetchAndAdd(wrId, r.flags(), pieces, remote, rkey, r.first());
        };
    }

    private List<ReceiveWorkRequest> receives(List<List<Place>> receives, long firstWrId) {
        List<ReceiveWorkRequest> requests = new ArrayList<>();
        long wrId = firstWrId;
        for (List<Place> receive : receives) {
            requests.add(new ReceiveWorkRequest(wrId++, pieces(receive, false)));
        }
        return requests;
    }

    private SendWorkRequest datagram(SendRequest r, long wrId, List<Sge> pieces) {
        int ah = held.ah(r.remote().key());
        int qpn = (int) held.qpn(r.remote().offset());
        int qkey = r.remote().length();
        return r.verb() == StepVerb.DATAGRAM
                ? new SendWorkRequest.SendTo(wrId, r.flags(), pieces, ah, qpn, qkey)
                : new SendWorkRequest.SendToWithImmediate(wrId, r.flags(), pieces, ah, qpn, qkey, (int) r.first());
    }

    /** Inline payload lies in memory of the poster, whatever the key. */
    private List<Sge> pieces(List<Place> places, boolean inline) {
        List<Sge> pieces = new ArrayList<>();
        for (Place place : places) {
            long address = inline ? place.address(held.arena.address()) : held.address(place);
            pieces.add(new Sge(address, place.length(), held.lkey(place)));
        }
        return pieces;
    }
}
