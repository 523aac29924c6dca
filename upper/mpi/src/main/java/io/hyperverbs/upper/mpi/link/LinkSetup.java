package io.hyperverbs.upper.mpi.link;

import io.hyperverbs.upper.mpi.job.JobPlace;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.ReceivePoster;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmConnection;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmListener;
import io.hyperverbs.verbs.cm.CmParameters;
import io.hyperverbs.verbs.cm.ConnectionManager;
import io.hyperverbs.verbs.cm.RejectReason;
import io.hyperverbs.verbs.sa.Destination;
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
final class LinkSetup {
    /** Guests may still start when the first rank begins. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final long CALL_AGAIN_MILLIS = 20;
    private static final int BACKLOG = 128;
    private static final Set<Access> RIGHTS = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ);

    private final RankLinks links;
    private final Domain domain;
    private final LinkSizes sizes;
    private final JobPlace place;
    private final ConnectionManager manager;
    private final Queue<CmEvent> requests = new ArrayDeque<>();

    /** A queue pair and memory whose peer is not known yet. */
    private record End(RcQueuePair qp, LinkMemory memory) {
        void close() throws VerbsException {
            qp.close();
            memory.close();
        }
    }

    LinkSetup(RankLinks links, Domain domain, LinkSizes sizes) {
        this.links = links;
        this.domain = domain;
        this.sizes = sizes;
        this.place = links.place();
        this.manager = ConnectionManager.of(links.context());
    }

    void connectAll() throws VerbsException {
        try (CmListener _ = manager.listen(links.watch().channel(), place.serviceId(place.rank()), BACKLOG)) {
            for (int peer = 0; peer < place.rank(); peer++) {
                call(peer);
            }
            for (int left = place.ranks() - 1 - place.rank(); left > 0; ) {
                if (answered(nextRequest())) {
                    left--;
                }
            }
        }
        links.watch().start();
    }

    private void call(int peer) throws VerbsException {
        End end = end(peer);
        long endNanos = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() - endNanos < 0) {
            Optional<CmConnection> found = resolve(place.guests().get(peer));
            if (found.isPresent() && called(found.get(), end, peer)) {
                return;
            }
            pause();
        }
        throw new VerbsException(VerbsStatus.ETIMEDOUT, place.name(peer) + " does not come");
    }

    /** Whether the peer took the call; it may not listen yet. */
    private boolean called(CmConnection connection, End end, int peer) throws VerbsException {
        connection.connect(end.qp, place.serviceId(peer), parameters(end, peer));
        CmEvent event = await(connection);
        if (event.type() == CmEvent.Type.ESTABLISHED) {
            PeerTerms terms = PeerTerms.parse(event.privateData())
                    .filter(one -> isFrom(one, peer))
                    .orElseThrow(() -> new VerbsException(
                            VerbsStatus.ECONNREFUSED, place.guests().get(peer) + " answers, but not as " + peer));
            add(end, connection, terms);
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
        Optional<PeerTerms> terms = PeerTerms.parse(request.privateData())
                .filter(one -> one.from() > place.rank() && one.from() < place.ranks() && isFrom(one, one.from()))
                .filter(one -> request.guest().equals(place.guests().get(one.from())));
        if (terms.isEmpty()) {
            request.connection().reject(PrivateData.none());
            request.connection().close();
            return false;
        }
        End end = end(terms.get().from());
        request.connection().accept(end.qp, parameters(end, terms.get().from()));
        CmEvent event = await(request.connection());
        if (event.type() != CmEvent.Type.ESTABLISHED) {
            request.connection().close();
            end.close();
            return false;
        }
        add(end, request.connection(), terms.get());
        return true;
    }

    private boolean isFrom(PeerTerms terms, int peer) {
        return terms.job() == place.key() && terms.from() == peer && terms.to() == place.rank();
    }

    private void add(End end, CmConnection connection, PeerTerms terms) throws VerbsException {
        end.memory.addCopy(links.pd(), terms.ringBytes());
        PeerLink link = new PeerLink(terms.from(), place.name(terms.from()), end.memory, end.qp, sizes, terms);
        links.add(link, end.memory, end.qp, connection);
    }

    private End end(int peer) throws VerbsException {
        LinkMemory memory = new LinkMemory(domain.memory(), links.pd(), sizes.ringBytes());
        RcQueuePair qp =
                links.pd().createRc(QpLimits.of(sizes.sends(), sizes.receives()), links.queue(), links.queue());
        qp.modify(QpAttributes.toInit(RIGHTS));
        ReceivePoster receives = qp.receives().start();
        for (int i = 0; i < sizes.receives(); i++) {
            receives.receive((long) peer << PeerLink.RANK_SHIFT);
        }
        if (receives.post() != VerbsStatus.SUCCESS) {
            throw new VerbsException(VerbsStatus.ENOMEM, "receives: " + qp.explainPost());
        }
        return new End(qp, memory);
    }

    private CmParameters parameters(End end, int peer) {
        PeerTerms own = new PeerTerms(
                place.key(),
                place.rank(),
                peer,
                end.memory.ringAddress(),
                end.memory.ringKey(),
                sizes.ringBytes(),
                sizes.receives());
        return CmParameters.standard()
                .withAccess(RIGHTS)
                .withResponseTimeout(PATIENCE)
                .withPrivateData(own.privateData());
    }

    /** Empty while there is no guest of that name. */
    private Optional<CmConnection> resolve(String guest) throws VerbsException {
        try {
            return Optional.of(manager.resolve(links.watch().channel(), Destination.guest(guest)));
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
        return links.watch()
                .channel()
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
