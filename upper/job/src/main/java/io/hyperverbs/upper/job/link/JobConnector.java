package io.hyperverbs.upper.job.link;

import io.hyperverbs.upper.job.JobPlace;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmConnection;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmListener;
import io.hyperverbs.verbs.cm.CmParameters;
import io.hyperverbs.verbs.cm.ConnectionManager;
import io.hyperverbs.verbs.cm.RejectReason;
import io.hyperverbs.verbs.sa.Destination;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;

/**
 * Connects a rank to all others by the connection manager: it calls those below it, and is called by those above it, one
 * after another, so that nobody waits for who waits for him. Receives are posted before a connection is there.
 */
public final class JobConnector {
    /** What each end lets the other do, besides SEND. */
    public static final Set<Access> RIGHTS = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ);

    /** Guests may still start when the first rank begins. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final long CALL_AGAIN_MILLIS = 20;
    private static final int BACKLOG = 128;

    private final JobPlace place;
    private final int protocol;
    private final PeerWatch watch;
    private final EndMaker ends;
    private final ConnectionManager manager;
    private final Queue<CmEvent> requests = new ArrayDeque<>();

    /** Makes this program's ends. */
    @FunctionalInterface
    public interface EndMaker {
        /**
         * Makes an end whose receives are posted.
         *
         * @param init what takes its queue pair to INIT
         */
        JobEnd open(int peer, QpAttributes init) throws VerbsException;
    }

    /**
     * @param protocol number of the protocol on the connections; an end with another one is refused
     * @param watch is given the connections, and begins when all are there
     */
    public JobConnector(Context context, JobPlace place, int protocol, PeerWatch watch, EndMaker ends) {
        this.place = place;
        this.protocol = protocol;
        this.watch = watch;
        this.ends = ends;
        this.manager = ConnectionManager.of(context);
    }

    /**
     * Connects to all ranks of the job; waits until each is there.
     *
     * @throws VerbsException ETIMEDOUT if one does not come, ECONNRESET if one has ended meanwhile
     */
    public void connectAll() throws VerbsException {
        try (CmListener _ = manager.listen(watch.channel(), place.serviceId(place.rank()), BACKLOG)) {
            for (int peer = 0; peer < place.rank(); peer++) {
                call(peer);
            }
            for (int left = place.ranks() - 1 - place.rank(); left > 0; ) {
                if (answered(nextRequest())) {
                    left--;
                }
            }
        }
        watch.start();
    }

    private void call(int peer) throws VerbsException {
        JobEnd end = null;
        long endNanos = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() - endNanos < 0) {
            Optional<CmConnection> found = resolve(place.guests().get(peer));
            if (found.isPresent()) {
                end = end == null ? open(peer, found.get()) : end;
                if (called(found.get(), end, peer)) {
                    return;
                }
            }
            pause();
        }
        if (end != null) {
            end.close();
        }
        throw new VerbsException(VerbsStatus.ETIMEDOUT, place.name(peer) + " does not come");
    }

    /** In the partition of the path, which need not be the first of this rank's guest. */
    private JobEnd open(int peer, CmConnection connection) throws VerbsException {
        long partition = connection.attributes(QpState.INIT).get(QpAttribute.PKEY_INDEX);
        return ends.open(peer, QpAttributes.toInit(RIGHTS).with(QpAttribute.PKEY_INDEX, partition));
    }

    /** Whether the peer took the call; it may not listen yet. */
    private boolean called(CmConnection connection, JobEnd end, int peer) throws VerbsException {
        connection.connect(end.qp(), place.serviceId(peer), parameters(end, peer));
        CmEvent event = await(connection);
        if (event.type() == CmEvent.Type.ESTABLISHED) {
            Introduction peers = Introduction.parse(event.privateData())
                    .filter(one -> one.isFor(place, protocol, peer))
                    .orElseThrow(() -> new VerbsException(
                            VerbsStatus.ECONNREFUSED, place.guests().get(peer) + " answers, but not as " + peer));
            add(end, connection, peers);
            return true;
        }
        connection.close();
        if (event.type() == CmEvent.Type.REJECTED && event.reject() == RejectReason.INVALID_SERVICE_ID) {
            return false;
        }
        throw new VerbsException(
                VerbsStatus.ECONNREFUSED, place.name(peer) + ": " + event.type() + " " + event.reject());
    }

    /** Whether a call was a rank's of this job; others are rejected. */
    private boolean answered(CmEvent request) throws VerbsException {
        Optional<Introduction> peers = Introduction.parse(request.privateData())
                .filter(one -> one.from() > place.rank() && one.from() < place.ranks())
                .filter(one -> one.isFor(place, protocol, one.from()))
                .filter(one -> request.guest().equals(place.guests().get(one.from())));
        if (peers.isEmpty()) {
            request.connection().reject(PrivateData.none());
            request.connection().close();
            return false;
        }
        int peer = peers.get().from();
        JobEnd end = open(peer, request.connection());
        request.connection().accept(end.qp(), parameters(end, peer));
        CmEvent event = await(request.connection());
        if (event.type() != CmEvent.Type.ESTABLISHED) {
            request.connection().close();
            end.close();
            return false;
        }
        add(end, request.connection(), peers.get());
        return true;
    }

    private void add(JobEnd end, CmConnection connection, Introduction peers) throws VerbsException {
        end.connected(connection, peers.terms());
        watch.expect(connection, peers.from());
    }

    private CmParameters parameters(JobEnd end, int peer) {
        Introduction own = new Introduction(protocol, place.key(), place.rank(), peer, ByteBuffer.wrap(end.terms()));
        return CmParameters.standard()
                .withAccess(RIGHTS)
                .withResponseTimeout(PATIENCE)
                .withPrivateData(own.privateData());
    }

    /** Empty while there is no guest of that name. */
    private Optional<CmConnection> resolve(String guest) throws VerbsException {
        try {
            return Optional.of(manager.resolve(watch.channel(), Destination.guest(guest)));
        } catch (VerbsException e) {
            if (e.status() != VerbsStatus.ENOENT) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private CmEvent nextRequest() throws VerbsException {
        CmEvent earlier = requests.poll();
        while (earlier == null) {
            CmEvent event = next();
            earlier = event.type() == CmEvent.Type.CONNECT_REQUEST ? event : null;
        }
        return earlier;
    }

    /** What becomes of a connection; calls that come meanwhile are kept. */
    private CmEvent await(CmConnection connection) throws VerbsException {
        while (true) {
            CmEvent event = next();
            if (event.connection().equals(connection)) {
                return event;
            }
            if (event.type() == CmEvent.Type.CONNECT_REQUEST) {
                requests.add(event);
            } else if (event.type() == CmEvent.Type.DISCONNECTED) {
                throw new VerbsException(VerbsStatus.ECONNRESET, "a rank in " + event.guest() + " has ended");
            }
        }
    }

    private CmEvent next() throws VerbsException {
        return watch.channel()
                .await(PATIENCE)
                .orElseThrow(() -> new VerbsException(VerbsStatus.ETIMEDOUT, "not all ranks have come"));
    }

    private static void pause() throws VerbsException {
        try {
            Thread.sleep(CALL_AGAIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new VerbsException(VerbsStatus.EINTR, "interrupted while it called");
        }
    }
}
