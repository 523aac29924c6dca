/**
 * MPI for programs of guests, with the names of Open MPI's Java bindings:
 *
 * <pre>{@code
 * MPI.Init(args);
 * int rank = MPI.COMM_WORLD.getRank();
 * double[] sum = {rank};
 * MPI.COMM_WORLD.allReduce(new double[] {rank}, sum, 1, MPI.DOUBLE, MPI.SUM);
 * MPI.Finalize();
 * }</pre>
 *
 * <p>{@code hv mpirun -n 4 Program.java} runs it. Messages are RDMA writes with immediate data into rings of their
 * receivers (Bertozzi 2000). Buffers are arrays of primitives, from their first element, and {@code java.nio} buffers;
 * those of {@link mpi.MPI#newDoubleBuffer} and its like are RAM of the guest, which long messages are read out of, and
 * into, without a copy. One thread of a rank may call it.
 */
@NullMarked
package mpi;

import org.jspecify.annotations.NullMarked;
