package io.hyperverbs.lab.attacks.cases;

import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.lab.attacks.AttackContext;
import io.hyperverbs.lab.attacks.Breach;
import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.VictimFacts;
import io.hyperverbs.lab.attacks.raw.RawCq;
import io.hyperverbs.lab.attacks.raw.RawDevice;
import io.hyperverbs.lab.attacks.raw.RawPair;
import io.hyperverbs.lab.attacks.raw.RawQp;
import io.hyperverbs.lab.attacks.raw.RawRegion;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlRequest;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Connections to those who did not ask for one. */
public final class PeerAttacks {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int[] OPCODES = {
        SendWqeLayout.OPCODE_SEND,
        SendWqeLayout.OPCODE_RDMA_WRITE,
        SendWqeLayout.OPCODE_RDMA_READ,
        SendWqeLayout.OPCODE_FETCH_AND_ADD
    };

    /** Indexes of P_Keys beyond a table with one entry. */
    private static final int[] OUTSIDE = {1, 2, 127, 128, 0xffff, 0x1_0000, Integer.MAX_VALUE, -1};

    private PeerAttacks() {}

    public static List<IsolationCase> cases() {
        return List.of(
                new IsolationCase(
                        "peers.unwelcome",
                        "D1 D3",
                        "connects to two queue pairs of each victim, one idle, with true QPN, PSN" + " and rkey",
                        "ReDMArk A1, no authentication of the source",
                        "alice, bob",
                        "silence: RETRY_EXC_ERR",
                        PeerAttacks::unwelcome),
                new IsolationCase(
                        "peers.unwelcome-unacknowledged",
                        "D2 D3",
                        "the same with UC, 20000 writes",
                        "NeVerMore, ReDMArk A2: one packet breaks a connection",
                        "alice, bob",
                        "silence: no byte lands, victims stay connected",
                        PeerAttacks::unwelcomeUnacknowledged),
                new IsolationCase(
                        "peers.partition",
                        "D13",
                        "takes P_Keys of its HCA that its topology does not give it, for queue pairs of each transport",
                        "IBA 10.9, partitions of virtual functions",
                        "HCA",
                        "EINVAL for all",
                        PeerAttacks::partition));
    }

    /** Its topology gives it the first P_Key alone. */
    private static String partition(AttackContext context) throws VerbsException, Breach {
        RawDevice device = context.device();
        Facts facts = new Facts();
        for (int port = 1; port <= 2; port++) {
            for (int index : OUTSIDE) {
                ControlRequest.QueryPkey query = new ControlRequest.QueryPkey(device.context(), port, index);
                facts.count(device.status(query), VerbsStatus.EINVAL, "P_Key " + index + " of port " + port);
            }
        }
        long pd = device.pd();
        RawCq cq = device.cq(64);
        for (QpType type : List.of(QpType.RC, QpType.UC, QpType.UD)) {
            RawQp qp = RawQp.create(device, pd, cq, type);
            QpAttributes init = type == QpType.UD ? QpAttributes.toUdInit(1) : QpAttributes.toInit(Set.of());
            for (int index : OUTSIDE) {
                VerbsStatus status = device.status(
                        new ControlRequest.ModifyQp(qp.handle(), init.with(QpAttribute.PKEY_INDEX, index)));
                facts.count(status, VerbsStatus.EINVAL, type + " with P_Key " + index);
            }
        }
        return facts.toString();
    }

    private static String unwelcome(AttackContext context) throws VerbsException, Breach {
        RawDevice device = context.device();
        long pd = device.pd();
        RawCq cq = device.cq(64);
        RawRegion own = device.region(pd, 4096, RawPair.ALL);
        RawQp qp = RawQp.create(device, pd, cq, QpType.RC);
        Facts facts = new Facts();
        for (String name : List.of("alice", "bob")) {
            VictimFacts victim = context.victim(name);
            for (int qpn : new int[] {victim.qpn(), victim.idleQpn()}) {
                for (int opcode : OPCODES) {
                    qp.connect(towards(victim, qpn), victim.psn());
                    post(qp, opcode, own, victim);
                    facts.count(outcome(cq), VerbsStatus.RETRY_EXC_ERR, "opcode " + opcode);
                    qp.reset();
                }
            }
        }
        return facts.toString();
    }

    private static String unwelcomeUnacknowledged(AttackContext context) throws VerbsException, Breach {
        RawDevice device = context.device();
        long pd = device.pd();
        RawCq cq = device.cq(64);
        RawRegion own = device.region(pd, 4096, RawPair.ALL);
        RawQp qp = RawQp.create(device, pd, cq, QpType.UC);
        Facts facts = new Facts();
        for (String name : List.of("alice", "bob")) {
            VictimFacts victim = context.victim(name);
            qp.connect(towards(victim, victim.qpn()), victim.psn());
            for (int i = 0; i < 10_000; i++) {
                post(qp, SendWqeLayout.OPCODE_RDMA_WRITE, own, victim);
                facts.count(outcome(cq), VerbsStatus.SUCCESS, "UC tells of nothing");
            }
            qp.reset();
        }
        return facts + " at the sender, dropped at the victims";
    }

    private static VerbsStatus outcome(RawCq cq) throws Breach {
        RawCq.Entry entry = cq.await(PATIENCE);
        if (entry == null) {
            throw new Breach("no completion within " + PATIENCE.toSeconds() + " s");
        }
        return entry.status();
    }

    private static Endpoint towards(VictimFacts victim, int qpn) {
        return new Endpoint(victim.lid(), qpn, victim.psn(), 0, 0, 0);
    }

    private static void post(RawQp qp, int opcode, RawRegion own, VictimFacts victim) {
        long slot = qp.fill(1, opcode, SendFlags.SIGNALLED, own.lkey(), own.address(), 8);
        if (opcode != SendWqeLayout.OPCODE_SEND) {
            SendWqeLayout.writeRemote(qp.memory(), slot, victim.address(), victim.rkey());
        }
        qp.publish();
    }
}
