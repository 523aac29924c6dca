package io.hyperverbs.upper.mpi.link;

import io.hyperverbs.upper.job.JobPlace;
import io.hyperverbs.upper.job.link.JobConnector;
import io.hyperverbs.upper.job.link.PeerWatch;
import io.hyperverbs.upper.mpi.error.ErrorClass;
import io.hyperverbs.upper.mpi.error.MpiError;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsObject;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.cm.CmConnection;
import io.hyperverbs.verbs.wait.WaitingPolicy;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A rank's connections to all others, with one completion queue, which says from whom the next frame is (Bertozzi 2000
 * §4.3). One thread; a second one, in {@link PeerWatch}, only notes that a peer is gone.
 */
public final class RankLinks implements AutoCloseable {
    private static final int COMPLETIONS_AT_A_TIME = 32;

    private final JobPlace place;
    private final Context context;
    private final ProtectionDomain pd;
    private final CompletionQueue queue;
    private final PeerWatch watch;
    private final @Nullable PeerLink[] links;
    private final Deque<VerbsObject> connections = new ArrayDeque<>();
    private final Deque<LinkMemory> memories = new ArrayDeque<>();
    private final WorkCompletion[] completions = new WorkCompletion[COMPLETIONS_AT_A_TIME];

    private RankLinks(JobPlace place, Context context, ProtectionDomain pd, CompletionQueue queue)
            throws VerbsException {
        this.place = place;
        this.context = context;
        this.pd = pd;
        this.queue = queue;
        this.links = new PeerLink[place.ranks()];
        this.watch = new PeerWatch(context, place);
        for (int i = 0; i < completions.length; i++) {
            completions[i] = new WorkCompletion();
        }
    }

    /**
     * Connects to all ranks of the job; waits until each is there.
     *
     * @throws MpiError if one does not come, or there is no room for the connections
     */
    public static RankLinks connect(JobPlace place, Domain domain) throws MpiError {
        LinkSizes sizes = LinkSizes.forRanks(place.ranks());
        try {
            Context context = domain.devices().getFirst().open();
            ProtectionDomain pd = context.allocatePd();
            CompletionQueue queue = context.createCq(sizes.completions() * (place.ranks() - 1), null);
            RankLinks links = new RankLinks(place, context, pd, queue);
            new JobConnector(
                            context,
                            place,
                            PeerTerms.PROTOCOL,
                            links.watch,
                            (peer, init) -> new RankEnd(links, domain.memory(), sizes, peer, init))
                    .connectAll();
            return links;
        } catch (VerbsException e) {
            throw new MpiError(ErrorClass.OTHER, place.name(place.rank()) + " cannot connect: " + e.getMessage());
        }
    }

    public JobPlace place() {
        return place;
    }

    public ProtectionDomain pd() {
        return pd;
    }

    /** The link to another rank. */
    public PeerLink to(int rank) {
        PeerLink link = links[rank];
        if (link == null) {
            throw new IllegalStateException("no link to rank " + rank);
        }
        return link;
    }

    /**
     * Takes what has ended and arrived, without waiting.
     *
     * @return whether there was anything
     * @throws MpiError PROC_FAILED if a connection has ended
     */
    public boolean poll(FrameSink sink) throws MpiError {
        int found = queue.poll(completions);
        for (int i = 0; i < found; i++) {
            WorkCompletion completion = completions[i];
            PeerLink link = to((int) (completion.wrId() >>> PeerLink.RANK_SHIFT));
            if (completion.status() != VerbsStatus.SUCCESS) {
                if (!watch.isEndExpected()) {
                    throw ended(link, completion);
                }
                // Peers that are through have ended their side; messages of the others still arrive.
                link.noteEnd(completion.wrId());
            } else if (completion.opcode() == WorkCompletion.Opcode.RECV_RDMA_WITH_IMM) {
                sink.arrived(link, link.take(completion.immediate()));
                link.taken();
            } else {
                link.ended(completion.wrId());
            }
        }
        return found > 0;
    }

    private MpiError ended(PeerLink link, WorkCompletion completion) {
        String gone = watch.gone();
        return new MpiError(
                ErrorClass.PROC_FAILED,
                gone == null ? "the connection to " + link.name() + " has ended: " + completion.explain() : gone);
    }

    /**
     * Looks whether all ranks are there; for who waits.
     *
     * @throws MpiError PROC_FAILED if one is gone
     */
    public void check() throws MpiError {
        String gone = watch.gone();
        if (gone != null) {
            throw new MpiError(ErrorClass.PROC_FAILED, gone);
        }
    }

    /** From now on peers may end their connections. */
    public void expectEnd() {
        watch.expectEnd();
    }

    /** Waits until all that was sent has arrived. */
    public void flush(FrameSink sink) throws MpiError {
        WaitingPolicy waiting = WaitingPolicy.hybrid();
        for (PeerLink link : links) {
            if (link == null) {
                continue;
            }
            while (!link.hasSlot()) {
                poll(sink);
            }
            link.flush();
            while (!link.isQuiet()) {
                if (poll(sink)) {
                    waiting.reset();
                } else {
                    waiting.idleOrNap();
                }
            }
        }
    }

    void add(PeerLink link, LinkMemory memory, VerbsObject qp, CmConnection connection) {
        links[link.rank()] = link;
        memories.push(memory);
        connections.push(qp);
        connections.push(connection);
    }

    CompletionQueue queue() {
        return queue;
    }

    @Override
    public void close() throws VerbsException {
        watch.expectEnd();
        for (VerbsObject object : connections) {
            object.close();
        }
        for (LinkMemory memory : memories) {
            memory.close();
        }
        watch.close();
        queue.close();
        pd.close();
        context.close();
    }
}
