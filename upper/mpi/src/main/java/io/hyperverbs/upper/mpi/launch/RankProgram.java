package io.hyperverbs.upper.mpi.launch;

import io.hyperverbs.upper.mpi.job.JobPlace;
import io.hyperverbs.verbs.ProgramExit;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

/**
 * One rank of an MPI job. Arguments: {@code JOB RANK GUESTS MAIN [ARGS]}: the job's key in hexadecimal digits, this
 * rank, the guests of all ranks in their order, with commas, and the class of the user's program.
 */
public final class RankProgram {
    private static final int OWN_ARGUMENTS = 4;
    private static final int USAGE = 2;

    private RankProgram() {}

    public static void main(String[] args) throws Throwable {
        if (args.length < OWN_ARGUMENTS) {
            System.err.println("mpi-rank: is started by hv mpirun");
            throw new ProgramExit(USAGE);
        }
        JobPlace.begin(place(args[0], args[1], args[2]));
        Method main = find(args[3]);
        try {
            main.invoke(null, (Object) Arrays.copyOfRange(args, OWN_ARGUMENTS, args.length));
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            throw cause == null ? e : cause;
        }
    }

    private static JobPlace place(String job, String rank, String guests) {
        try {
            return new JobPlace(
                    Long.parseUnsignedLong(job, 16), Integer.parseInt(rank), List.of(guests.split(",", -1)));
        } catch (IllegalArgumentException e) {
            System.err.println("mpi-rank: " + e.getMessage());
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
