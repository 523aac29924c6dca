package io.hyperverbs.upper.mpi.collective;

import io.hyperverbs.upper.mpi.error.ErrorClass;
import io.hyperverbs.upper.mpi.error.MpiError;
import io.hyperverbs.upper.mpi.match.ReceivePattern;
import io.hyperverbs.upper.mpi.progress.MessageOperation;
import io.hyperverbs.upper.mpi.progress.RankProgress;
import io.hyperverbs.upper.mpi.progress.ReceiveOperation;
import io.hyperverbs.upper.mpi.progress.SendOperation;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The ranks of a communicator and the context that keeps its messages apart. Collective operations have the context
 * above that of messages, so that a receive for any tag does not take theirs. One thread.
 */
public final class Members {
    private final RankProgress progress;
    private final List<Integer> ranks;
    private final int own;
    private final int context;

    /**
     * @param ranks of the job, in the order of the communicator; this one is among them
     * @param context an even number; the next one is this communicator's too
     */
    public Members(RankProgress progress, List<Integer> ranks, int context) {
        this.progress = progress;
        this.ranks = List.copyOf(ranks);
        this.own = ranks.indexOf(progress.place().rank());
        this.context = context;
    }

    public RankProgress progress() {
        return progress;
    }

    public int context() {
        return context;
    }

    /** This rank in the communicator. */
    public int own() {
        return own;
    }

    public int size() {
        return ranks.size();
    }

    /** The job's rank of a member. */
    public int inJob(int member) {
        return ranks.get(member);
    }

    /** The member that a rank of the job is. */
    public int memberOf(int inJob) {
        return ranks.indexOf(inJob);
    }

    /**
     * @throws MpiError RANK if there is no such member
     */
    public void check(int member) throws MpiError {
        if (member < 0 || member >= size()) {
            throw new MpiError(ErrorClass.RANK, "rank " + member + " of " + size());
        }
    }

    SendOperation begin(int to, int tag, MemorySegment data) throws MpiError {
        return progress.send(context + 1, inJob(to), tag, data, false);
    }

    ReceiveOperation beginReceive(int from, int tag, MemorySegment data) throws MpiError {
        return progress.receive(new ReceivePattern(context + 1, inJob(from), tag), data);
    }

    void send(int to, int tag, MemorySegment data) throws MpiError {
        end(begin(to, tag, data));
    }

    void receive(int from, int tag, MemorySegment data) throws MpiError {
        end(beginReceive(from, tag, data));
    }

    void end(MessageOperation operation) throws MpiError {
        progress.await(operation);
        MpiError wrong = operation.error();
        if (wrong != null) {
            throw wrong;
        }
    }
}
