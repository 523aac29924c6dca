package io.hyperverbs.upper.mpi.data;

import io.hyperverbs.upper.mpi.error.ErrorClass;
import io.hyperverbs.upper.mpi.error.MpiError;
import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of what users hand over: an array from its first element, a {@code java.nio} buffer from its first element
 * whatever its position, or a segment of memory.
 */
public final class UserBuffer {
    private UserBuffer() {}

    /**
     * The first {@code count} elements.
     *
     * @param buffer may be null if {@code count} is 0
     * @throws MpiError COUNT if there are fewer; TYPE if they are of another type; BUFFER if it is no buffer
     */
    public static MemorySegment of(@Nullable Object buffer, int count, ElementType type) throws MpiError {
        return part(buffer, 0, count, type);
    }

    /** Elements from {@code first} on, as {@link #of}. */
    public static MemorySegment part(@Nullable Object buffer, int first, int count, ElementType type) throws MpiError {
        if (count < 0 || first < 0) {
            throw new MpiError(ErrorClass.COUNT, "count " + Math.min(count, first) + ", must not be negative");
        }
        if (count == 0 && buffer == null) {
            return MemorySegment.NULL;
        }
        MemorySegment all = all(buffer, type);
        long bytes = (long) count * type.bytes();
        long offset = (long) first * type.bytes();
        if (bytes > all.byteSize() - offset) {
            throw new MpiError(
                    ErrorClass.COUNT,
                    first + count + " elements of " + type + ", the buffer has " + all.byteSize() / type.bytes());
        }
        return all.asSlice(offset, bytes);
    }

    private static MemorySegment all(@Nullable Object buffer, ElementType type) throws MpiError {
        if (buffer == null) {
            throw new MpiError(ErrorClass.BUFFER, "no buffer");
        }
        MemorySegment memory = switch (buffer) {
            case byte[] array -> MemorySegment.ofArray(array);
            case char[] array -> MemorySegment.ofArray(array);
            case short[] array -> MemorySegment.ofArray(array);
            case int[] array -> MemorySegment.ofArray(array);
            case long[] array -> MemorySegment.ofArray(array);
            case float[] array -> MemorySegment.ofArray(array);
            case double[] array -> MemorySegment.ofArray(array);
            case Buffer nio -> MemorySegment.ofBuffer(nio.duplicate().clear());
            case MemorySegment segment -> segment;
            default ->
                throw new MpiError(
                        ErrorClass.BUFFER,
                        buffer.getClass().getTypeName()
                                + " is no buffer: arrays of primitives and java.nio buffers are");
        };
        Class<?> held = held(buffer);
        if (held != null && held != type.type()) {
            throw new MpiError(ErrorClass.TYPE, "a buffer of " + held + " as " + type);
        }
        return memory;
    }

    /** The type of its elements; null where bytes stand for any. */
    private static @Nullable Class<?> held(Object buffer) {
        return switch (buffer) {
            case ByteBuffer _, MemorySegment _ -> null;
            case CharBuffer _ -> char.class;
            case ShortBuffer _ -> short.class;
            case IntBuffer _ -> int.class;
            case LongBuffer _ -> long.class;
            case FloatBuffer _ -> float.class;
            case DoubleBuffer _ -> double.class;
            default -> buffer.getClass().getComponentType();
        };
    }
}
