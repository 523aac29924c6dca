package mpi;

import io.hyperverbs.upper.job.JobPlace;
import io.hyperverbs.upper.mpi.collective.Collectives;
import io.hyperverbs.upper.mpi.collective.Members;
import io.hyperverbs.upper.mpi.data.ElementType;
import io.hyperverbs.upper.mpi.data.Reduction;
import io.hyperverbs.upper.mpi.error.ErrorClass;
import io.hyperverbs.upper.mpi.error.MpiError;
import io.hyperverbs.upper.mpi.match.ReceivePattern;
import io.hyperverbs.upper.mpi.progress.RankProgress;
import io.hyperverbs.verbs.Domain;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Begin and end of a rank, and the constants of MPI. */
public final class MPI {
    /** All ranks of the job; to be used between {@link #Init} and {@link #Finalize}. */
    public static final Intracomm COMM_WORLD = new Intracomm();

    /** This rank alone. */
    public static final Intracomm COMM_SELF = new Intracomm();

    public static final Datatype BYTE = new Datatype(ElementType.BYTE);
    public static final Datatype CHAR = new Datatype(ElementType.CHAR);
    public static final Datatype SHORT = new Datatype(ElementType.SHORT);
    public static final Datatype INT = new Datatype(ElementType.INT);
    public static final Datatype LONG = new Datatype(ElementType.LONG);
    public static final Datatype FLOAT = new Datatype(ElementType.FLOAT);
    public static final Datatype DOUBLE = new Datatype(ElementType.DOUBLE);

    public static final Op MAX = new Op(Reduction.MAX);
    public static final Op MIN = new Op(Reduction.MIN);
    public static final Op SUM = new Op(Reduction.SUM);
    public static final Op PROD = new Op(Reduction.PROD);
    public static final Op LAND = new Op(Reduction.LAND);
    public static final Op LOR = new Op(Reduction.LOR);
    public static final Op LXOR = new Op(Reduction.LXOR);
    public static final Op BAND = new Op(Reduction.BAND);
    public static final Op BOR = new Op(Reduction.BOR);
    public static final Op BXOR = new Op(Reduction.BXOR);

    /** A receive takes messages of any member. */
    public static final int ANY_SOURCE = ReceivePattern.ANY;

    /** A receive takes messages with any tag. */
    public static final int ANY_TAG = ReceivePattern.ANY;

    /** Nobody: messages to and from it are none. */
    public static final int PROC_NULL = -2;

    /** No number, or no colour. */
    public static final int UNDEFINED = -32766;

    /** The largest tag. */
    public static final int TAG_UB = Integer.MAX_VALUE;

    public static final int SUCCESS = ErrorClass.SUCCESS.code();
    public static final int ERR_BUFFER = ErrorClass.BUFFER.code();
    public static final int ERR_COUNT = ErrorClass.COUNT.code();
    public static final int ERR_TYPE = ErrorClass.TYPE.code();
    public static final int ERR_TAG = ErrorClass.TAG.code();
    public static final int ERR_COMM = ErrorClass.COMM.code();
    public static final int ERR_RANK = ErrorClass.RANK.code();
    public static final int ERR_REQUEST = ErrorClass.REQUEST.code();
    public static final int ERR_ROOT = ErrorClass.ROOT.code();
    public static final int ERR_OP = ErrorClass.OP.code();
    public static final int ERR_ARG = ErrorClass.ARG.code();
    public static final int ERR_TRUNCATE = ErrorClass.TRUNCATE.code();
    public static final int ERR_OTHER = ErrorClass.OTHER.code();
    public static final int ERR_PROC_FAILED = ErrorClass.PROC_FAILED.code();

    private static final double NANOS_PER_SECOND = 1e9;

    private static @Nullable RankProgress progress;
    private static boolean finalized;

    private MPI() {}

    /**
     * Connects this rank to the others of its job. A program that no job started is a job of one rank.
     *
     * @return the arguments
     * @throws MPIException if it was called before, or a rank does not come
     */
    public static String[] Init(String[] args) throws MPIException {
        if (progress != null || finalized) {
            throw new MPIException(ErrorClass.OTHER, "MPI.Init was called before");
        }
        JobPlace place = JobPlace.current();
        try {
            RankProgress begun = RankProgress.begin(place, Domain.current());
            List<Integer> all = IntStream.range(0, place.ranks()).boxed().toList();
            COMM_WORLD.begin(communicator(begun, all));
            COMM_SELF.begin(communicator(begun, List.of(place.rank())));
            progress = begun;
        } catch (MpiError e) {
            throw MPIException.of(e);
        }
        return args;
    }

    private static Members communicator(RankProgress progress, List<Integer> ranks) {
        int context = progress.nextContext();
        progress.takeContext(context);
        return new Members(progress, ranks, context);
    }

    /** Waits until all ranks have called it, and ends the connections. Requests are to have ended before. */
    public static void Finalize() throws MPIException {
        RankProgress ending = running();
        try {
            ending.expectEnd();
            Collectives.barrier(COMM_WORLD.members());
            ending.finish();
        } catch (MpiError e) {
            throw MPIException.of(e);
        }
        progress = null;
        finalized = true;
        COMM_WORLD.end();
        COMM_SELF.end();
    }

    public static boolean isInitialized() {
        return progress != null || finalized;
    }

    public static boolean isFinalized() {
        return finalized;
    }

    private static RankProgress running() throws MPIException {
        RankProgress now = progress;
        if (now == null) {
            throw new MPIException(ErrorClass.OTHER, finalized ? "after MPI.Finalize" : "before MPI.Init");
        }
        return now;
    }

    /** Seconds since some moment. */
    public static double wtime() {
        return System.nanoTime() / NANOS_PER_SECOND;
    }

    /** The name of the guest. */
    public static String getProcessorName() {
        return Domain.current().name();
    }

    /** A buffer in the guest's RAM, zeroed, which lasts until {@link #Finalize}. */
    public static ByteBuffer newByteBuffer(int bytes) throws MPIException {
        try {
            return running()
                    .buffers()
                    .allocate(Math.max(1, bytes))
                    .asByteBuffer()
                    .limit(bytes)
                    .slice()
                    .order(ByteOrder.nativeOrder());
        } catch (MpiError e) {
            throw MPIException.of(e);
        }
    }

    /** As {@link #newByteBuffer}. */
    public static CharBuffer newCharBuffer(int count) throws MPIException {
        return newByteBuffer(Math.multiplyExact(count, Character.BYTES)).asCharBuffer();
    }

    /** As {@link #newByteBuffer}. */
    public static ShortBuffer newShortBuffer(int count) throws MPIException {
        return newByteBuffer(Math.multiplyExact(count, Short.BYTES)).asShortBuffer();
    }

    /** As {@link #newByteBuffer}. */
    public static IntBuffer newIntBuffer(int count) throws MPIException {
        return newByteBuffer(Math.multiplyExact(count, Integer.BYTES)).asIntBuffer();
    }

    /** As {@link #newByteBuffer}. */
    public static LongBuffer newLongBuffer(int count) throws MPIException {
        return newByteBuffer(Math.multiplyExact(count, Long.BYTES)).asLongBuffer();
    }

    /** As {@link #newByteBuffer}. */
    public static FloatBuffer newFloatBuffer(int count) throws MPIException {
        return newByteBuffer(Math.multiplyExact(count, Float.BYTES)).asFloatBuffer();
    }

    /** As {@link #newByteBuffer}. */
    public static DoubleBuffer newDoubleBuffer(int count) throws MPIException {
        return newByteBuffer(Math.multiplyExact(count, Double.BYTES)).asDoubleBuffer();
    }
}
