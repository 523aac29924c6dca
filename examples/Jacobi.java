import io.hyperverbs.upper.dsm.Dsm;
import io.hyperverbs.upper.dsm.SharedDoubles;

/**
 * Heat in a rod whose ends are kept at 0 and 1: nodes share the rod, each computes its part of it:
 *
 * <pre>
 * hv mpirun -n 2 examples/Jacobi.java
 * </pre>
 */
public final class Jacobi {
    private static final int CELLS = 64;
    private static final int ROUNDS = 2000;

    public static void main(String[] args) {
        try (Dsm dsm = Dsm.join()) {
            SharedDoubles rod = dsm.doubles(CELLS + 2, 1);
            if (dsm.node() == 0) {
                rod.set(CELLS + 1, 1);
            }
            int from = 1 + dsm.node() * CELLS / dsm.nodes();
            int to = 1 + (dsm.node() + 1) * CELLS / dsm.nodes();
            double[] next = new double[to - from];
            for (int round = 0; round < ROUNDS; round++) {
                dsm.barrier();
                for (int i = from; i < to; i++) {
                    next[i - from] = (rod.get(i - 1) + rod.get(i + 1)) / 2;
                }
                dsm.barrier();
                rod.set(from, next, 0, to - from);
            }
            dsm.barrier();
            if (dsm.node() == 0) {
                System.out.printf("the middle of the rod has %.4f%n", rod.get(CELLS / 2));
                System.out.println(dsm.counts());
            }
        }
    }
}
