package io.hyperverbs.lab.walk.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * What the memory of all domains must hold, one after the other, byte by byte; {@link #ANY} where
 * the specification does not say. What is copied from such a byte is not known either.
 */
public final class ModelMemory {
    /** A byte that may be anything. */
    public static final short ANY = -1;

    private final short[] cells;

    ModelMemory(int length) {
        cells = new short[length];
    }

    /** The byte at that offset, 0 to 255, or {@link #ANY}. */
    public short cell(int offset) {
        return cells[offset];
    }

    /** The bytes that {@code seed} stands for. */
    public static byte[] pattern(int length, long seed) {
        byte[] pattern = new byte[length];
        new Random(seed).nextBytes(pattern);
        return pattern;
    }

    void write(int offset, byte[] source) {
        for (int i = 0; i < source.length; i++) {
            cells[offset + i] = (short) (source[i] & 0xff);
        }
    }

    short[] gather(List<Span> pieces) {
        int length = pieces.stream().mapToInt(Span::length).sum();
        short[] data = new short[length];
        int at = 0;
        for (Span piece : pieces) {
            if (piece.length() > 0) {
                System.arraycopy(cells, (int) piece.offset(), data, at, piece.length());
            }
            at += piece.length();
        }
        return data;
    }

    /**
     * Lays {@code data} into the pieces in order. Where pieces overlap each other or what the data
     * came from, the specification does not say what they hold.
     */
    void scatter(short[] data, List<Span> pieces, List<Span> sources) {
        int at = 0;
        boolean overlap = false;
        List<Span> written = new ArrayList<>();
        for (Span piece : pieces) {
            Span part = piece.first(data.length - at);
            if (part.length() > 0) {
                overlap |= sources.stream().anyMatch(part::overlaps);
                overlap |= written.stream().anyMatch(part::overlaps);
                System.arraycopy(data, at, cells, (int) part.offset(), part.length());
                written.add(part);
            }
            at += part.length();
        }
        if (overlap) {
            written.forEach(this::leaveOpen);
        }
    }

    /** The word in the byte order of the HCA, little-endian; null if it is not known. */
    @org.jspecify.annotations.Nullable
    Long word(long offset) {
        long word = 0;
        for (int i = Long.BYTES - 1; i >= 0; i--) {
            short cell = cells[(int) offset + i];
            if (cell == ANY) {
                return null;
            }
            word = word << 8 | cell;
        }
        return word;
    }

    void word(long offset, long value) {
        for (int i = 0; i < Long.BYTES; i++) {
            cells[(int) offset + i] = (short) (value >>> (8 * i) & 0xff);
        }
    }

    /** These bytes may hold anything from here on, until they are written again. */
    void leaveOpen(Span span) {
        if (span.length() > 0) {
            int from = (int) span.offset();
            Arrays.fill(cells, from, from + span.length(), ANY);
        }
    }
}
