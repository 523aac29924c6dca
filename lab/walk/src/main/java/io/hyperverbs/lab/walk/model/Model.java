package io.hyperverbs.lab.walk.model;

import io.hyperverbs.lab.walk.step.Place;
import io.hyperverbs.lab.walk.step.SendRequest;
import io.hyperverbs.lab.walk.step.SlotKind;
import io.hyperverbs.lab.walk.step.Slots;
import io.hyperverbs.lab.walk.step.Step;
import io.hyperverbs.lab.walk.step.StepVerb;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All objects of a walk as the specification knows them. {@link #predict} says what the call must
 * answer, {@link #commit} what must come of it; between two steps everything that can move has
 * moved. For one thread.
 */
public final class Model {
    private final HcaFacts hca;
    private final DomainLids lids;
    private final int domains;
    private final ModelObjects objects = new ModelObjects();
    private final ExpectedStatus answers;
    private final Places places;
    private final ModelMemory memory;
    private final Outcomes outcomes;
    private final ReliableTransport reliable;
    private final UnreliableConnection unreliable;
    private final Datagrams datagrams;
    private int made;

    /**
     * @param lids of the HCAs of the domains that the contexts are divided among, one for each domain
     */
    public Model(HcaFacts hca, List<Integer> lids) {
        this.hca = hca;
        this.lids = new DomainLids(lids);
        this.domains = lids.size();
        this.answers = new ExpectedStatus(hca, domains, objects);
        this.places = new Places(objects, domains);
        this.memory = new ModelMemory(domains * Slots.ARENA_BYTES);
        this.outcomes = new Outcomes();
        ModelTransfers transfers = new ModelTransfers(hca, memory, outcomes);
        this.reliable = new ReliableTransport(this.lids, transfers, memory, outcomes);
        this.datagrams = new Datagrams(hca, this.lids, transfers, outcomes);
        this.unreliable = new UnreliableConnection(this.lids, transfers, outcomes);
    }

    public HcaFacts hca() {
        return hca;
    }

    public int domains() {
        return domains;
    }

    public ModelMemory memory() {
        return memory;
    }

    /** What there is, for choosing. */
    public ModelObjects objects() {
        return objects;
    }

    /** The domain that takes a step; empty if its slots are not as it needs them. */
    public Optional<Integer> domainOf(Step step) {
        return switch (step) {
            case Step.OpenPd s -> Optional.of(Slots.domainOf(s.context(), domains));
            case Step.OpenCq s -> Optional.of(Slots.domainOf(s.context(), domains));
            case Step.OpenRegion s -> domain(objects.pd(s.pd()));
            case Step.OpenAh s -> domain(objects.pd(s.pd()));
            case Step.OpenWindow s -> domain(objects.pd(s.pd()));
            case Step.Bind s -> domain(objects.qp(s.qp()));
            case Step.OpenSrq s -> domain(objects.pd(s.pd()));
            case Step.PostShared s -> domain(objects.srq(s.srq()));
            case Step.ArmLimit s -> domain(objects.srq(s.srq()));
            case Step.Resize s -> domain(objects.srq(s.srq()));
            case Step.QuerySrq s -> domain(objects.srq(s.srq()));
            case Step.OpenQp s -> domain(objects.pd(s.pd()));
            case Step.Close s -> domain(objects.at(s.kind(), s.slot()));
            case Step.Modify s -> domain(objects.qp(s.qp()));
            case Step.PostSend s -> domain(objects.qp(s.qp()));
            case Step.PostReceive s -> domain(objects.qp(s.qp()));
            case Step.Query s -> domain(objects.qp(s.qp()));
            case Step.Fill s -> s.domain() < domains ? Optional.of(s.domain()) : Optional.empty();
        };
    }

    private Optional<Integer> domain(@Nullable ModelObject object) {
        return Optional.ofNullable(object).map(one -> Slots.domainOf(one.context(), domains));
    }

    /** {@code step} with numbers in place of the zeros that stand for them. */
    public Step resolve(Step step) {
        if (step instanceof Step.OpenAh s && s.lid() == 0) {
            return new Step.OpenAh(s.ah(), s.pd(), lids.any(s.ah()), s.serviceLevel());
        }
        if (!(step instanceof Step.Modify modify)) {
            return step;
        }
        Map<QpAttribute, Long> values = new EnumMap<>(QpAttribute.class);
        values.putAll(modify.values());
        ModelQp qp = objects.qp(modify.qp());
        ModelQp peer = objects.qp(values.getOrDefault(QpAttribute.DEST_QPN, -1L));
        values.computeIfPresent(QpAttribute.AV, (name, lid) -> lid == 0 ? lidOfPeer(qp, peer) : lid);
        if (qp != null) {
            values.computeIfPresent(QpAttribute.SQ_PSN, (name, psn) -> psn == 0 ? qp.startPsn() : psn);
        }
        if (peer != null) {
            values.computeIfPresent(QpAttribute.RQ_PSN, (name, psn) -> psn == 0 ? peer.startPsn() : psn);
        }
        return new Step.Modify(modify.qp(), values);
    }

    /** The LID that leads to the peer that a queue pair gets or has; without one, that of its own HCA. */
    private long lidOfPeer(@Nullable ModelQp qp, @Nullable ModelQp next) {
        if (next != null) {
            return lids.of(next);
        }
        if (qp == null) {
            return hca.lid();
        }
        return lids.of(qp.peer == null ? qp : qp.peer);
    }

    /** What the call of a resolved step must answer, empty if it is not made; changes nothing. */
    public Optional<VerbsStatus> predict(Step step) {
        if (domainOf(step).isEmpty() || !objects.fits(step, domains)) {
            return Optional.empty();
        }
        return Optional.of(answers.of(step));
    }

    /** Whether a request takes bytes that one before it writes at its peer, which it may leave before. */
    public boolean overtakes(Step.PostSend step) {
        ModelQp qp = there(objects.qp(step.qp()));
        List<Span> written = new ArrayList<>();
        for (ModelSend send : qp.sends) {
            written.addAll(written(send.verb(), send.remote, send.receiver == null ? qp.peer : send.receiver));
        }
        for (SendRequest request : step.requests()) {
            List<Span> taken = places.own(qp, request.pieces());
            if (!request.isInline()
                    && written.stream().anyMatch(one -> taken.stream().anyMatch(one::overlaps))) {
                return true;
            }
            boolean isDatagram = request.verb().isDatagram();
            ModelQp receiver = isDatagram ? objects.qp(request.remote().offset()) : qp.peer;
            written.addAll(written(request.verb(), places.remote(qp, request), receiver));
        }
        return false;
    }

    private static List<Span> written(StepVerb verb, Span remote, @Nullable ModelQp receiver) {
        List<Span> written = new ArrayList<>();
        if (!verb.isWindowWork() && verb != StepVerb.READ && !verb.isDatagram()) {
            written.add(remote);
        }
        if ((verb.isSend() || verb.isDatagram()) && receiver != null) {
            receiver.receives.forEach(receive -> written.addAll(receive.pieces()));
        }
        return written;
    }

    /** The queue pair in that slot was created, with that much room. */
    public void granted(int slot, int sendRoom, int receiveRoom) {
        ModelQp qp = there(objects.qp(slot));
        qp.sendRoom = sendRoom;
        qp.receiveRoom = receiveRoom;
    }

    /** The shared receive queue in that slot has that much room from now on. */
    public void granted(int slot, int room) {
        there(objects.srq(slot)).room = room;
    }

    /**
     * Takes over that a resolved step succeeded, and moves all that can move.
     *
     * @param firstWrId of the first request of a batch; the others follow
     */
    public Effects commit(Step step, long firstWrId) {
        switch (step) {
            case Step.OpenPd s -> objects.put(SlotKind.PD, s.pd(), new ModelPd(s.context()));
            case Step.OpenCq s -> objects.put(SlotKind.CQ, s.cq(), new ModelCq(s.cq(), s.context(), s.entries()));
            case Step.OpenRegion s -> {
                ModelPd pd = there(objects.pd(s.pd()));
                long at = places.base(pd.context()) + s.offset();
                objects.put(SlotKind.REGION, s.region(), new ModelRegion(pd, at, s.length(), s.access()));
            }
            case Step.OpenAh s -> objects.put(SlotKind.AH, s.ah(), new ModelAh(there(objects.pd(s.pd())), s.lid()));
            case Step.OpenWindow s ->
                objects.put(SlotKind.WINDOW, s.window(), new ModelWindow(++made, there(objects.pd(s.pd())), s.type()));
            case Step.Bind s -> send(there(objects.qp(s.qp())), List.of(s.request()), firstWrId);
            case Step.OpenSrq s ->
                objects.put(SlotKind.SRQ, s.srq(), new ModelSrq(++made, there(objects.pd(s.pd())), s.pieces()));
            case Step.PostShared s -> {
                ModelSrq srq = there(objects.srq(s.srq()));
                receive(srq.receives, srq.context(), s.receives(), firstWrId);
            }
            case Step.ArmLimit s -> {
                ModelSrq srq = there(objects.srq(s.srq()));
                srq.limit = s.limit();
                outcomes.limit(srq);
            }
            case Step.Resize s -> {}
            case Step.QuerySrq s -> {}
            case Step.OpenQp s -> create(s);
            case Step.Close s -> {
                ModelObject object = there(objects.at(s.kind(), s.slot()));
                object.end();
                if (object instanceof ModelQp qp) {
                    objects.freeWindowsOf(qp);
                }
            }
            case Step.Modify s -> modify(s);
            case Step.PostSend s -> send(there(objects.qp(s.qp())), s.requests(), firstWrId);
            case Step.PostReceive s -> {
                ModelQp qp = there(objects.qp(s.qp()));
                receive(qp.receives, qp.context(), s.receives(), firstWrId);
            }
            case Step.Query s -> {
                ModelQp qp = there(objects.qp(s.qp()));
                qp.known = qp.state;
            }
            case Step.Fill s ->
                memory.write(s.domain() * Slots.ARENA_BYTES + s.offset(), ModelMemory.pattern(s.length(), s.seed()));
        }
        settle();
        return outcomes.take(objects.qps());
    }

    private void send(ModelQp qp, List<SendRequest> requests, long firstWrId) {
        long wrId = firstWrId;
        for (SendRequest request : requests) {
            ModelWindow window = request.verb() == StepVerb.BIND ? objects.window(request.window()) : null;
            int tag = request.bindTag();
            if (window != null) {
                // The verb for type 1 makes a new key each time.
                tag = window.isTypeTwo() ? tag : window.posted + 1 & 0xff;
                window.posted = tag;
            }
            List<Span> pieces = places.spans(qp.context(), request.pieces());
            ModelSend send = new ModelSend(
                    wrId++,
                    qp.posted++,
                    request,
                    pieces,
                    places.remote(qp, request),
                    window,
                    tag,
                    request.isInline() ? memory.gather(places.own(qp, request.pieces())) : new short[0]);
            if (request.verb().isDatagram()) {
                send.ah = objects.ahOf(request.remote().key());
                send.receiver = objects.qp(request.remote().offset());
            }
            qp.sends.add(send);
        }
    }

    private void receive(Deque<ModelReceive> queue, int context, List<List<Place>> receives, long firstWrId) {
        long wrId = firstWrId;
        for (List<Place> receive : receives) {
            queue.add(new ModelReceive(wrId++, places.spans(context, receive)));
        }
    }

    private boolean step(ModelQp qp) {
        return switch (qp.type) {
            case UC -> unreliable.step(qp);
            case UD -> datagrams.step(qp);
            default -> reliable.step(qp);
        };
    }

    private void settle() {
        for (ModelQp qp : objects.qps()) {
            if (qp.state == QpState.ERR || qp.state == QpState.SQE) {
                outcomes.flush(qp);
            }
        }
        boolean moved = true;
        while (moved) {
            moved = false;
            for (ModelQp qp : objects.qps()) {
                while (step(qp)) {
                    moved = true;
                }
            }
        }
        for (ModelQp qp : objects.qps()) {
            if (qp.state == QpState.SQD && !qp.drained) {
                qp.drained = true;
                outcomes.drained(qp);
            }
        }
    }

    private void create(Step.OpenQp s) {
        objects.put(
                SlotKind.QP,
                s.qp(),
                new ModelQp(
                        ++made,
                        s.qp(),
                        s.type(),
                        there(objects.pd(s.pd())),
                        objects.srq(s.srq()),
                        there(objects.cq(s.sendCq())),
                        there(objects.cq(s.receiveCq())),
                        s.pieces(),
                        s.inlineBytes(),
                        s.allSignalled()));
    }

    private void modify(Step.Modify s) {
        ModelQp qp = there(objects.qp(s.qp()));
        Long asked = s.values().get(QpAttribute.STATE);
        QpState to = asked == null ? qp.state : QpState.of((int) (long) asked);
        if (to == QpState.RESET) {
            qp.forget();
            objects.freeWindowsOf(qp);
            return;
        }
        if (to == QpState.ERR) {
            outcomes.toErr(qp);
            qp.known = asked == null ? qp.known : to;
            return;
        }
        if (to == QpState.RTR && to != qp.state) {
            qp.heardOf = false;
        }
        if (to != qp.state) {
            qp.drained = false;
        }
        qp.state = to;
        qp.known = asked == null ? qp.known : to;
        qp.attributes.putAll(s.values());
        qp.attributes.remove(QpAttribute.STATE);
        qp.attributes.remove(QpAttribute.CUR_STATE);
        Long peer = s.values().get(QpAttribute.DEST_QPN);
        if (peer != null) {
            qp.peer = objects.qp(peer);
            qp.receivePsn = (int) qp.value(QpAttribute.RQ_PSN);
        }
        if (s.values().containsKey(QpAttribute.SQ_PSN)) {
            qp.sendPsn = (int) qp.value(QpAttribute.SQ_PSN);
        }
    }

    static <T> T there(@Nullable T object) {
        if (object == null) {
            throw new IllegalStateException("a step was made that predict skips");
        }
        return object;
    }
}
