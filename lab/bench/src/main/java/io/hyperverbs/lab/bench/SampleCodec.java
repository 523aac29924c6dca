package io.hyperverbs.lab.bench;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * Times as text for the store: differences of neighbours, zigzag, seven bits a byte, base64, in
 * chunks below the store's limit. A chunk is decoded only together with those before it.
 */
public final class SampleCodec {
    /** A domain's values together have 48 KiB in the store, endpoints included. */
    static final int CHUNK_CHARACTERS = 40_000;

    private SampleCodec() {}

    /** Encodes the first {@code count} samples; no sample gives no chunk. */
    public static List<String> encode(long[] samples, int count) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(count * 2);
        long previous = 0;
        for (int i = 0; i < count; i++) {
            long difference = samples[i] - previous;
            previous = samples[i];
            long zigzag = (difference << 1) ^ (difference >> 63);
            while ((zigzag & ~0x7fL) != 0) {
                bytes.write((int) (zigzag & 0x7f) | 0x80);
                zigzag >>>= 7;
            }
            bytes.write((int) zigzag);
        }
        String text = Base64.getEncoder().withoutPadding().encodeToString(bytes.toByteArray());
        List<String> chunks = new ArrayList<>();
        for (int from = 0; from < text.length(); from += CHUNK_CHARACTERS) {
            chunks.add(text.substring(from, Math.min(text.length(), from + CHUNK_CHARACTERS)));
        }
        return chunks;
    }

    /**
     * Decodes what {@link #encode} made.
     *
     * @throws IllegalArgumentException if the chunks do not hold exactly {@code count} samples
     */
    public static long[] decode(List<String> chunks, int count) {
        byte[] bytes = Base64.getDecoder().decode(String.join("", chunks));
        if (count < 0 || count > bytes.length) {
            throw new IllegalArgumentException(bytes.length + " bytes for " + count + " samples");
        }
        long[] samples = new long[count];
        int at = 0;
        long previous = 0;
        for (int i = 0; i < count; i++) {
            long zigzag = 0;
            int shift = 0;
            byte part;
            do {
                if (at == bytes.length || shift > 63) {
                    throw new IllegalArgumentException("samples end within number " + i);
                }
                part = bytes[at++];
                zigzag |= (long) (part & 0x7f) << shift;
                shift += 7;
            } while (part < 0);
            previous += (zigzag >>> 1) ^ -(zigzag & 1);
            samples[i] = previous;
        }
        if (at != bytes.length) {
            throw new IllegalArgumentException("bytes left over after "
                    + count
                    + " samples: "
                    + Arrays.toString(Arrays.copyOfRange(bytes, at, bytes.length)));
        }
        return samples;
    }
}
