import mpi.MPI;
import mpi.MPIException;

/**
 * Ranks add up parts of the area below 4 / (1 + x^2), which is pi between 0 and 1:
 *
 * <pre>
 * hv mpirun -n 4 examples/Pi.java
 * </pre>
 */
public final class Pi {
    private static final int STEPS = 10_000_000;

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        int size = MPI.COMM_WORLD.getSize();
        System.out.println("rank " + rank + " of " + size + " in " + MPI.getProcessorName());

        double start = MPI.wtime();
        double[] part = {0};
        for (int i = rank; i < STEPS; i += size) {
            double x = (i + 0.5) / STEPS;
            part[0] += 4 / (1 + x * x) / STEPS;
        }
        double[] pi = {0};
        MPI.COMM_WORLD.reduce(part, pi, 1, MPI.DOUBLE, MPI.SUM, 0);
        if (rank == 0) {
            System.out.printf("pi is %.10f, in %.0f ms%n", pi[0], 1000 * (MPI.wtime() - start));
        }
        MPI.Finalize();
    }
}
