package io.hyperverbs.backend.cm;

import io.hyperverbs.backend.gsi.Outbox;
import io.hyperverbs.backend.gsi.SourceBudgets;
import io.hyperverbs.backend.mad.CmMessage;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Carries the messages of connections between HCAs as MADs (IBA ch. 12). A REQ, REP or DREQ is sent again until it is
 * answered; how long an end waits for the answer in all is its user's to say. What the peer sends again is answered
 * again ({@link RemoteMessages}). Under the lock of its connection manager, and nothing here waits.
 */
public final class RemoteConnections {
    /** How often a message is sent again: as often as a REQ can say. */
    static final int TRIES = 15;

    private static final long MIN_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MAX_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** How long an end without a user answers what its peer sends again. */
    static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final LocalPort port;
    private final Outbox outbox;
    private final RemoteEnds ends;
    private final RemoteMessages messages;
    private long lastTransaction;

    /** {@code random} draws ids that nobody may guess. */
    public RemoteConnections(LocalPort port, Outbox outbox, SourceBudgets budgets, RandomGenerator random) {
        this.port = port;
        this.outbox = outbox;
        this.ends = new RemoteEnds(random, budgets);
        this.messages = new RemoteMessages(port, ends, this);
        this.lastTransaction = random.nextLong();
    }

    /** How many bytes of private data a REQ to that service id has room for. */
    public static int roomForData(long serviceId) {
        return CallMads.room(serviceId);
    }

    /** Sends a REQ; this side of the connection. */
    public RemoteEnd call(RemoteUser user, OutgoingCall call, int peerGsi, long nowNanos) {
        RemoteEnd end = ends.active(call.address(), peerGsi);
        end.user = user;
        end.type = call.offer().type();
        end.ownQpn = call.offer().qpn();
        end.transactionId = ++lastTransaction;
        end.intervalNanos = interval(call.responseNanos());
        ends.know(end);
        sendUntilAnswered(end, CmMessage.REQ, CallMads.req(end, call, port, TRIES), nowNanos);
        return end;
    }

    /**
     * Sends a message but a REQ.
     *
     * @param message what it is to the peer
     * @param responseNanos how long the user waits for an answer
     */
    public void send(
            RemoteEnd end, ConnectionMessage message, MessageContent content, long responseNanos, long nowNanos) {
        if (end.user == null) {
            // The peer has ended it, and has begun another one.
            return;
        }
        end.intervalNanos = interval(responseNanos);
        switch (message) {
            case RECEIVE_REP -> {
                end.ownQpn = content.offer().qpn();
                ends.know(end);
                sendUntilAnswered(
                        end, CmMessage.REP, AnswerMads.rep(end, content.offer(), content.data(), port), nowNanos);
            }
            case RECEIVE_RTU -> sendOnce(end, CmMessage.RTU, AnswerMads.rtu(end, content.data()));
            case RECEIVE_REJ -> sendOnce(end, CmMessage.REJ, rej(end, content));
            case RECEIVE_DREQ -> {
                end.transactionId = ++lastTransaction;
                sendUntilAnswered(end, CmMessage.DREQ, AnswerMads.dreq(end, content.data()), nowNanos);
            }
            case RECEIVE_DREP ->
                sendOnce(
                        end,
                        CmMessage.DREP,
                        AnswerMads.drep(end.transactionId, end.localId, end.remoteId, content.data()));
            default -> throw new IllegalArgumentException(message + " is no message to a peer");
        }
    }

    /** A REJ says which message it answers, and of one that withdraws a REQ by whose id it can be found. */
    private byte[] rej(RemoteEnd end, MessageContent content) {
        boolean answersReq = end.passive && end.lastMessage == null;
        boolean answersRep = !end.passive && end.lastMessage == CmMessage.REQ && end.remoteId != 0;
        return AnswerMads.rej(
                end.transactionId,
                end.localId,
                end.remoteId,
                answersReq ? CmMessage.REQ : answersRep ? CmMessage.REP : CmMessage.RTU,
                content.reject(),
                RejectInformation.of(content.reject(), port),
                content.data());
    }

    /** The user has done with it; a DREQ that has no answer yet is sent on. */
    public void retire(RemoteEnd end, long nowNanos) {
        if (end.user == null) {
            return;
        }
        boolean isLeaving = end.awaitsAnswer && end.lastMessage == CmMessage.DREQ;
        end.awaitsAnswer = isLeaving;
        if (end.lastMessage == CmMessage.REQ) {
            end.user = null;
            ends.remove(end);
        } else if (ends.retire(end) && !isLeaving) {
            ends.deadlines().set(end, nowNanos + LINGER_NANOS);
        }
    }

    /**
     * A datagram of connection management came.
     *
     * @param mad hostile but for its header, which is that of the class
     * @param address IPv4 address that it came from
     * @param gsi QPN that it came from
     * @return false if it is a REQ to be looked at again in a moment
     */
    public boolean receive(byte[] mad, int address, int gsi, Callee callee, long nowNanos) {
        return messages.receive(mad, address, gsi, callee, nowNanos);
    }

    /** Sends again what has no answer yet, and forgets what is over; how many. */
    public int doWork(long nowNanos) {
        int done = 0;
        for (RemoteEnd due = ends.deadlines().takeExpired(nowNanos);
                due != null;
                due = ends.deadlines().takeExpired(nowNanos)) {
            done++;
            if (due.awaitsAnswer && due.triesLeft > 0) {
                due.triesLeft--;
                repeat(due);
                ends.deadlines().set(due, nowNanos + due.intervalNanos);
            } else {
                due.awaitsAnswer = false;
                if (due.user == null) {
                    ends.remove(due);
                }
            }
        }
        return done;
    }

    /** When {@link #doWork} has something to do next; the largest number: not before a message. */
    public long next() {
        return ends.deadlines().next();
    }

    /** Sends what was sent last. */
    void repeat(RemoteEnd end) {
        post(end, Objects.requireNonNull(end.lastMad));
    }

    /** Sends what is no answer to be repeated. */
    void post(RemoteEnd end, byte[] mad) {
        outbox.add(end.address, end.peerGsi, mad);
    }

    /** Answers who has no end here. */
    void reply(int address, int gsi, byte[] mad) {
        outbox.add(address, gsi, mad);
    }

    /** What was sent last is answered. */
    void answered(RemoteEnd end) {
        end.awaitsAnswer = false;
        ends.deadlines().clear(end);
    }

    void sendOnce(RemoteEnd end, CmMessage kind, byte[] mad) {
        end.lastMessage = kind;
        end.lastMad = mad;
        answered(end);
        post(end, mad);
    }

    private void sendUntilAnswered(RemoteEnd end, CmMessage kind, byte[] mad, long nowNanos) {
        sendOnce(end, kind, mad);
        end.awaitsAnswer = true;
        end.triesLeft = TRIES;
        ends.deadlines().set(end, nowNanos + end.intervalNanos);
    }

    private static long interval(long responseNanos) {
        return Math.clamp(responseNanos / (TRIES + 1), MIN_INTERVAL_NANOS, MAX_INTERVAL_NANOS);
    }
}
