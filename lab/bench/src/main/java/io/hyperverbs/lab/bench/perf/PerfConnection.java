package io.hyperverbs.lab.bench.perf;

import io.hyperverbs.lab.bench.BenchFailure;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QueuePair;
import io.hyperverbs.verbs.VerbsException;
import java.util.EnumSet;
import java.util.StringJoiner;
import java.util.concurrent.ThreadLocalRandom;

/** Takes queue pairs to RTS, connected with those of the peer in the same order, by an exchange in the store. */
final class PerfConnection {
    /** Of datagrams; the high bit is 0. */
    static final int QKEY = 0x1111_1111;

    private static final String ENDS = "ends";

    /** A peer that gets no core for a while must not end the measurement. */
    private static final int RNR_FOR_EVER = 7;

    private final PerfObjects objects;
    private final PerfPoints points;
    private final int psn = ThreadLocalRandom.current().nextInt(1 << 24);

    PerfConnection(PerfObjects objects, PerfPoints points) {
        this.objects = objects;
        this.points = points;
    }

    /** Takes them to INIT, where they get their receives. */
    void initialize() throws VerbsException {
        for (QueuePair queuePair : objects.queuePairs) {
            queuePair.modify(
                    switch (queuePair.type()) {
                        case UD -> QpAttributes.toUdInit(QKEY);
                        case UC -> QpAttributes.toInit(EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE));
                        case RC, XRC_SEND, XRC_RECV -> QpAttributes.toInit(PerfObjects.RIGHTS);
                    });
        }
    }

    /** Takes them to RTS; returns the peer's ends. */
    Endpoint[] connect() throws VerbsException, BenchFailure {
        StringJoiner own = new StringJoiner(" ");
        int lid = objects.context.queryPort(1).lid();
        for (QueuePair queuePair : objects.queuePairs) {
            own.add(new Endpoint(
                            lid,
                            queuePair.qpn(),
                            psn,
                            objects.region.address(),
                            objects.region.rkey(),
                            objects.region.lengthBytes())
                    .format());
        }
        points.say(ENDS, own.toString());
        String[] words = points.await(ENDS).split(" ", -1);
        Endpoint[] peers = new Endpoint[words.length];
        for (int k = 0; k < peers.length; k++) {
            peers[k] = Endpoint.parse(words[k]);
            toRts(objects.queuePairs[k], peers[k]);
        }
        return peers;
    }

    private void toRts(QueuePair queuePair, Endpoint peer) throws VerbsException {
        switch (queuePair.type()) {
            case UD -> {
                queuePair.modify(QpAttributes.to(QpState.RTR));
                queuePair.modify(QpAttributes.toUnacknowledgedRts(psn));
            }
            case UC -> {
                queuePair.modify(QpAttributes.toUcRtr(peer));
                queuePair.modify(QpAttributes.toUnacknowledgedRts(psn));
            }
            case RC, XRC_SEND, XRC_RECV -> {
                queuePair.modify(QpAttributes.toRtr(peer));
                queuePair.modify(QpAttributes.toRts(psn).with(QpAttribute.RNR_RETRY, RNR_FOR_EVER));
            }
        }
    }
}
