package io.hyperverbs.upper.job.launch;

import io.hyperverbs.upper.job.JobPlace;
import io.hyperverbs.upper.job.PeerFailure;
import io.hyperverbs.verbs.ProgramExit;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * One rank of a job. Arguments: {@code JOB RANK GUESTS MAIN [ARGS]}: the job's key in hexadecimal digits, this
 * rank, the guests of all ranks in their order, with commas, and the class of the user's program.
 */
public final class RankProgram {
    private static final int OWN_ARGUMENTS = 4;
    private static final int USAGE = 2;

    /** Exit code of a rank that ends because another has: not why its job failed. */
    public static final int PEER_IS_GONE = 75;

    private RankProgram() {}

    public static void main(String[] args) throws Throwable {
        if (args.length < OWN_ARGUMENTS) {
            System.err.println("rank: is started by hv mpirun");
            throw new ProgramExit(USAGE);
        }
        JobPlace.begin(place(args[0], args[1], args[2]));
        Method main = find(args[3]);
        try {
            main.invoke(null, (Object) Arrays.copyOfRange(args, OWN_ARGUMENTS, args.length));
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            Optional<PeerFailure> gone = peerIsGone(cause);
            if (gone.isPresent()) {
                JobPlace place = JobPlace.current();
                System.err.println(place.name(place.rank()) + ": " + gone.get().getMessage());
                throw new ProgramExit(PEER_IS_GONE);
            }
            throw cause;
        }
    }

    private static Optional<PeerFailure> peerIsGone(Throwable thrown) {
        for (Throwable one = thrown; one != null; one = one.getCause()) {
            if (one instanceof PeerFailure failure && failure.peerIsGone()) {
                return Optional.of(failure);
            }
        }
        return Optional.empty();
    }

    private static JobPlace place(String job, String rank, String guests) {
        try {
            return new JobPlace(
                    Long.parseUnsignedLong(job, 16), Integer.parseInt(rank), List.of(guests.split(",", -1)));
        } catch (IllegalArgumentException e) {
            System.err.println("rank: " + e.getMessage());
            throw new ProgramExit(USAGE);
        }
    }

    private static Method find(String program) {
        try {
            Method main = Class.forName(program).getMethod("main", String[].class);
            main.setAccessible(true);
            return main;
        } catch (ReflectiveOperationException e) {
            System.err.println(program + " has no public static void main(String[])");
            throw new ProgramExit(USAGE);
        }
    }
}
