package io.hyperverbs.vmm.io;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs of machine frames, each a message of first frame and count. Read and written without a record for each message,
 * since there may be thousands. Immutable; any thread.
 */
final class RunsField extends Field {
    /** More runs than a 64 KiB message can hold are not worth looking at. */
    static final int MAX_RUNS = 8192;

    private static final int MOST_RUNS_IN_WORDS = 8;
    private static final int HASH_BYTES = 16;
    private static final int FIRST_TAG = Scalar.UINT64.tag(1);
    private static final int COUNT_TAG = Scalar.UINT64.tag(2);

    private final int number;

    RunsField(String name, int number) {
        super(name);
        this.number = number;
    }

    @Override
    @Nullable
    Object initial() {
        return null;
    }

    @Override
    @SuppressWarnings("unchecked") // what this method put there
    boolean merge(int tag, CodedInputStream in, @Nullable Object[] state, int slot) throws IOException {
        if (tag != Scalar.BYTES.tag(number)) {
            return false;
        }
        int outer = in.pushLimit(in.readRawVarint32());
        long[] run = new long[2];
        int found = in.readTag();
        while (found != 0) {
            if (found == FIRST_TAG) {
                run[0] = in.readUInt64();
            } else if (found == COUNT_TAG) {
                run[1] = in.readUInt64();
            } else if (!in.skipField(found)) {
                break;
            }
            found = in.readTag();
        }
        in.checkLastTagWas(0);
        in.popLimit(outer);
        if (state[slot] == null) {
            state[slot] = new ArrayList<long[]>();
        }
        ((List<long[]>) Objects.requireNonNull(state[slot])).add(run);
        return true;
    }

    @Override
    @SuppressWarnings("unchecked") // what merge put there
    Object value(@Nullable Object read) {
        List<long[]> found = read == null ? List.of() : (List<long[]>) read;
        if (found.size() > MAX_RUNS) {
            throw new ProtocolViolation(found.size() + " frame runs, at most " + MAX_RUNS);
        }
        List<FrameRun> runs = new ArrayList<>(found.size());
        for (long[] run : found) {
            runs.add(new FrameRun(run[0], run[1]));
        }
        return runs;
    }

    @Override
    void write(CodedOutputStream out, @Nullable Object value) throws IOException {
        for (FrameRun run : runs(value)) {
            int first = run.firstFrame() == 0 ? 0 : CodedOutputStream.computeUInt64Size(1, run.firstFrame());
            out.writeUInt32NoTag(Scalar.BYTES.tag(number));
            out.writeUInt32NoTag(first + CodedOutputStream.computeUInt64Size(2, run.count()));
            if (first != 0) {
                out.writeUInt64(1, run.firstFrame());
            }
            out.writeUInt64(2, run.count());
        }
    }

    /** The runs themselves if they are few; else how many, and a hash. */
    @Override
    String words(@Nullable Object value, ObjectNames names) {
        List<FrameRun> runs = runs(value);
        if (runs.size() > MOST_RUNS_IN_WORDS) {
            long frames = runs.stream().mapToLong(FrameRun::count).sum();
            return frames + " in " + runs.size() + " runs, sha256 " + hash(runs);
        }
        StringBuilder text = new StringBuilder();
        for (FrameRun run : runs) {
            text.append(text.isEmpty() ? "" : ",")
                    .append(run.firstFrame())
                    .append('+')
                    .append(run.count());
        }
        return text.toString();
    }

    @Override
    boolean isInTrace() {
        return false;
    }

    @SuppressWarnings("unchecked") // the component's type
    private static List<FrameRun> runs(@Nullable Object value) {
        return (List<FrameRun>) Objects.requireNonNull(value);
    }

    /** Of first frame and count of each, big-endian. */
    private static String hash(List<FrameRun> runs) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            ByteBuffer run = ByteBuffer.allocate(2 * Long.BYTES);
            for (FrameRun each : runs) {
                digest.update(run.putLong(0, each.firstFrame()).putLong(Long.BYTES, each.count()));
                run.rewind();
            }
            return HexFormat.of().formatHex(digest.digest(), 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
