package io.hyperverbs.hca.engine;

import io.hyperverbs.hca.capture.CapturePoint;
import io.hyperverbs.hca.capture.MessageCapture;
import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.cq.CqEvents;
import io.hyperverbs.hca.cq.CqTable;
import io.hyperverbs.hca.cq.ModerationTimers;
import io.hyperverbs.hca.event.EventQueue;
import io.hyperverbs.hca.event.EventRaiser;
import io.hyperverbs.hca.layout.QueueGeometry;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.hca.port.PortTable;
import io.hyperverbs.hca.qp.ModifyCheck;
import io.hyperverbs.hca.qp.QpTable;
import io.hyperverbs.hca.rc.Answers;
import io.hyperverbs.hca.rc.Loopback;
import io.hyperverbs.hca.rc.Requester;
import io.hyperverbs.hca.rc.Responder;
import io.hyperverbs.hca.roce.Network;
import io.hyperverbs.hca.roce.Wire;
import io.hyperverbs.hca.roce.WireGroups;
import io.hyperverbs.hca.schedule.DomainShare;
import io.hyperverbs.hca.schedule.QpArbiter;
import io.hyperverbs.hca.schedule.TimerWheel;
import io.hyperverbs.hca.srq.SrqTable;
import io.hyperverbs.hca.tpt.Tpt;
import io.hyperverbs.hca.transport.Completer;
import io.hyperverbs.hca.transport.KeyLockout;
import io.hyperverbs.hca.transport.QpErrors;
import io.hyperverbs.hca.transport.ReceiveWqeFetch;
import io.hyperverbs.hca.transport.RequestCheck;
import io.hyperverbs.hca.transport.SrqReceives;
import io.hyperverbs.hca.transport.WindowWork;
import io.hyperverbs.hca.uc.UcLoopback;
import io.hyperverbs.hca.uc.UcRequester;
import io.hyperverbs.hca.uc.UcResponder;
import io.hyperverbs.hca.ud.AhTable;
import io.hyperverbs.hca.ud.MulticastTable;
import io.hyperverbs.hca.ud.UdRequester;
import io.hyperverbs.hca.ud.UdResponder;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;

/**
 * The tables of one HCA and the parts that work on them, wired together. Engine thread only, but
 * for the reader's side of {@link #events}.
 */
public final class HcaDevice {
    private final HcaSizes sizes;
    private final ContextMemory contexts;
    private final EventQueue events;
    private final EventRaiser raiser;
    private final Tpt tpt;
    private final PdTable pds;
    private final UarTable uars;
    private final CqTable cqs;
    private final ModerationTimers moderation;
    private final CqEvents cqEvents;
    private final SrqTable srqs;
    private final QpTable qps;
    private final AhTable handles;
    private final MulticastTable groups;
    private final QpArbiter arbiter;
    private final Doorbells doorbells;
    private final TimerWheel timers;
    private final QpErrors errors;
    private final KeyLockout lockout;
    private final QpTurn turn;
    private final ModifyCheck modifyCheck;
    private final PortTable ports;
    private final Wire wire;
    private final CapturePoint capture = new CapturePoint();

    /**
     * @param network the wire, if there is one
     * @param keys source of key and QPN values; unpredictable outside of tests
     * @param interrupt called on the engine thread when the event queue got something
     * @param wake called there with the machine address of a word that a domain sleeps on
     */
    public HcaDevice(
            HcaSizes sizes,
            PortSettings ports,
            Network network,
            ContextMemory contexts,
            RandomGenerator keys,
            Runnable interrupt,
            LongConsumer wake) {
        this.sizes = sizes;
        this.ports = new PortTable(ports, network.addresses(), contexts);
        this.contexts = contexts;
        this.events = new EventQueue(eventCapacity(sizes, ports.count()), interrupt);
        this.raiser = new EventRaiser(events, contexts, sizes.maxUar(), wake);
        this.tpt = new Tpt(contexts, sizes.maxRegions(), sizes.maxWindows(), keys);
        this.pds = new PdTable(contexts, sizes.maxPd());
        this.uars = new UarTable(contexts, raiser, sizes.maxUar());
        this.cqs = new CqTable(contexts, sizes.maxCq());
        this.srqs = new SrqTable(contexts, sizes.maxSrq(), keys);
        this.qps = new QpTable(contexts, sizes.maxQp(), keys);
        this.handles = new AhTable(contexts, ports, network.addresses(), sizes.maxAh(), keys);
        this.groups =
                new MulticastTable(contexts, new WireGroups(network.ports()), sizes.maxMulticast(), sizes.maxQp());
        this.arbiter = new QpArbiter(sizes.maxQp());
        this.timers = new TimerWheel(sizes.maxQp());
        this.errors = new QpErrors(qps, arbiter, timers, raiser, contexts);
        this.moderation = new ModerationTimers(cqs, sizes.maxCq());
        this.cqEvents = new CqEvents(raiser, moderation);
        this.doorbells = new Doorbells(contexts, uars, cqs, arbiter, cqEvents);
        Completer completer = new Completer(errors, cqEvents);
        SrqReceives shared = new SrqReceives(errors, raiser, completer);
        ReceiveWqeFetch receives = new ReceiveWqeFetch(tpt, completer, errors, shared);
        Responder responder = new Responder(tpt, contexts, completer, errors, raiser, receives, srqs);
        RequestCheck check = new RequestCheck(tpt, sizes.maxMessageBytes());
        this.lockout = new KeyLockout(qps, timers);
        UcResponder ucResponder = new UcResponder(tpt, contexts, completer, raiser, receives);
        UdResponder udResponder = new UdResponder(contexts, completer, receives, this.ports);
        WindowWork windows = new WindowWork(tpt.windows(), completer);
        Answers answers = new Answers(timers, completer);
        this.wire = new Wire(
                new Wire.Parts(
                        contexts,
                        this.ports,
                        qps,
                        timers,
                        arbiter,
                        errors,
                        check,
                        completer,
                        answers,
                        responder,
                        ucResponder,
                        udResponder,
                        groups,
                        capture),
                network.ports());
        MessageCapture seen = new MessageCapture(capture, this.ports, contexts.memory());
        Loopback rc = new Loopback(qps, this.ports, contexts, responder, answers, check, doorbells, lockout, seen);
        Requester requester = new Requester(completer, check, windows, answers, rc, wire.reliable());
        UcLoopback ucLoopback =
                new UcLoopback(qps, this.ports, check, contexts, ucResponder, completer, doorbells, lockout, seen);
        UcRequester uc = new UcRequester(completer, check, windows, ucLoopback, wire.unreliable());
        UdRequester ud = new UdRequester(
                qps, handles, groups, check, contexts, udResponder, completer, this.ports, wire.datagrams(), seen);
        this.turn = new QpTurn(requester, uc, ud, completer, shared, errors, raiser, arbiter, timers, wire, doorbells);
        this.modifyCheck = new ModifyCheck(this.ports, sizes.maxReadAtomic());
    }

    // Twice what can be pending at once: objects die while their events wait.
    private static int eventCapacity(HcaSizes sizes, int ports) {
        int pending = 2 * sizes.maxCq() + 4 * sizes.maxQp() + 2 * sizes.maxSrq() + (1 + 2 * ports) * sizes.maxUar();
        return QueueGeometry.powerOfTwo(2 * pending);
    }

    public HcaSizes sizes() {
        return sizes;
    }

    public ContextMemory contexts() {
        return contexts;
    }

    public EventQueue events() {
        return events;
    }

    public EventRaiser raiser() {
        return raiser;
    }

    public Tpt tpt() {
        return tpt;
    }

    public PdTable pds() {
        return pds;
    }

    public UarTable uars() {
        return uars;
    }

    public CqTable cqs() {
        return cqs;
    }

    public ModerationTimers moderation() {
        return moderation;
    }

    public CqEvents cqEvents() {
        return cqEvents;
    }

    public SrqTable srqs() {
        return srqs;
    }

    public QpTable qps() {
        return qps;
    }

    public AhTable handles() {
        return handles;
    }

    public MulticastTable groups() {
        return groups;
    }

    public QpArbiter arbiter() {
        return arbiter;
    }

    public Doorbells doorbells() {
        return doorbells;
    }

    /** Takes the cost of a command off a domain's credit. */
    public void bill(DomainShare share, long cost) {
        arbiter.chargeFixed(share, cost);
    }

    /** As the other; nothing happens if the domain has no share. */
    public void bill(int domain, long cost) {
        DomainShare share = uars.share(domain);
        if (share != null) {
            arbiter.chargeFixed(share, cost);
        }
    }

    public TimerWheel timers() {
        return timers;
    }

    public QpErrors errors() {
        return errors;
    }

    public KeyLockout lockout() {
        return lockout;
    }

    public QpTurn turn() {
        return turn;
    }

    /** The wire; of an HCA that {@link #hasWire} not, one without ports. */
    public Wire wire() {
        return wire;
    }

    public boolean hasWire() {
        return wire.hasPorts();
    }

    /** Where captures are attached. */
    public CapturePoint capture() {
        return capture;
    }

    public PortTable ports() {
        return ports;
    }

    public ModifyCheck modifyCheck() {
        return modifyCheck;
    }
}
