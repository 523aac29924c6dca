package io.hyperverbs.lab.mpi;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import mpi.MPI;
import mpi.MPIException;

/** Runs cases: methods of a class without parameters, which all ranks call in the order of their names. */
final class CaseRun {
    private CaseRun() {}

    /** Runs all cases of these; how many there are. A case that fails says which it is. */
    static int run(Object... groups) throws MPIException {
        int count = 0;
        for (Object group : groups) {
            List<Method> cases = Arrays.stream(group.getClass().getDeclaredMethods())
                    .filter(method -> method.isAnnotationPresent(RankCase.class))
                    .sorted(Comparator.comparing(Method::getName))
                    .toList();
            for (Method one : cases) {
                run(group, one);
                count++;
            }
        }
        return count;
    }

    private static void run(Object group, Method one) throws MPIException {
        try {
            one.invoke(group);
        } catch (InvocationTargetException e) {
            System.err.println("case " + one.getName() + " fails on rank " + MPI.COMM_WORLD.getRank());
            throw new IllegalStateException(one.getName(), e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
        MPI.COMM_WORLD.barrier();
    }
}
