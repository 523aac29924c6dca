package io.hyperverbs.backend.journal;

import com.google.protobuf.ByteString;
import io.hyperverbs.verbs.VerbsStatus;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One record as bytes, little-endian. Written and read by the backend; read by tools.
 *
 * <pre>
 *  byte   +0              +4
 *    0  | magic         | length        |  HVJ and the digit of the format; of the whole frame
 *    8  | sequence                      |  1, 2, 3...
 *   16  | link                          |  first 16 bytes of SHA-256(link before, sequence, body)
 *   32  | crc32c        | body...       |  of all bytes but these four
 * </pre>
 *
 * The CRC finds accidents; the chain of links makes a record that was changed, taken out or put in
 * afterwards evident to whoever knows the last link.
 */
final class JournalFrame {
    static final int HEAD_BYTES = 36;
    static final int LINK_BYTES = 16;
    static final int MAX_BYTES = 1 << 20;

    private static final int MAGIC = 0x324a_5648;
    private static final int MAGIC_BYTES_OF_ALL_FORMATS = 0xff_ffff;
    private static final int CRC_OFFSET = 32;

    private JournalFrame() {}

    /** What a whole frame holds. */
    static final class Content {
        private final long sequence;
        private final byte[] link;
        private final JournalRecord record;
        private final int lengthBytes;

        private Content(long sequence, byte[] link, JournalRecord record, int lengthBytes) {
            this.sequence = sequence;
            this.link = link;
            this.record = record;
            this.lengthBytes = lengthBytes;
        }

        long sequence() {
            return sequence;
        }

        byte[] link() {
            return link.clone();
        }

        JournalRecord record() {
            return record;
        }

        int lengthBytes() {
            return lengthBytes;
        }
    }

    static byte[] firstLink() {
        return new byte[LINK_BYTES];
    }

    static byte[] encode(JournalRecord record, long sequence, byte[] linkBefore) {
        byte[] body = body(record);
        ByteBuffer frame = ByteBuffer.allocate(HEAD_BYTES + body.length);
        frame.order(ByteOrder.LITTLE_ENDIAN).putInt(MAGIC).putInt(frame.capacity());
        frame.putLong(sequence).put(link(linkBefore, sequence, body)).putInt(0).put(body);
        return frame.putInt(CRC_OFFSET, crc(frame.array(), 0, frame.capacity())).array();
    }

    /** The link of a frame that {@link #encode} made. */
    static byte[] linkOf(byte[] frame) {
        return Arrays.copyOfRange(frame, HEAD_BYTES - 4 - LINK_BYTES, HEAD_BYTES - 4);
    }

    /** The frame at {@code offset}, or null if there is no whole one. Does not ask for its link. */
    static @Nullable Content decode(byte[] bytes, int offset) {
        if (bytes.length - offset < HEAD_BYTES) {
            return null;
        }
        ByteBuffer frame = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int lengthBytes = frame.getInt(offset + 4);
        if (frame.getInt(offset) != MAGIC || !isWhole(bytes, offset)) {
            return null;
        }
        try {
            JournalRecord record = record(ByteBuffer.wrap(bytes, offset + HEAD_BYTES, lengthBytes - HEAD_BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN));
            byte[] link = Arrays.copyOfRange(bytes, offset + 16, offset + 16 + LINK_BYTES);
            return new Content(frame.getLong(offset + 8), link, record, lengthBytes);
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            return null;
        }
    }

    private static boolean isWhole(byte[] bytes, int offset) {
        ByteBuffer frame = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int lengthBytes = frame.getInt(offset + 4);
        return lengthBytes >= HEAD_BYTES
                && lengthBytes <= Math.min(MAX_BYTES, bytes.length - offset)
                && frame.getInt(offset + CRC_OFFSET) == crc(bytes, offset, lengthBytes);
    }

    /** Why a whole frame at {@code offset} is not read, in words; null if it is none, or of this format. */
    static @Nullable String otherFormat(byte[] bytes, int offset) {
        if (bytes.length - offset < HEAD_BYTES) {
            return null;
        }
        int magic = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(offset);
        boolean other = magic != MAGIC && ((magic ^ MAGIC) & MAGIC_BYTES_OF_ALL_FORMATS) == 0;
        return other && isWhole(bytes, offset)
                ? "the journal is of format " + (char) (magic >>> 24) + ", and this program's is "
                        + (char) (MAGIC >>> 24) + ": move its folder away"
                : null;
    }

    /** Whether the frame at {@code offset} follows one with that link. */
    static boolean follows(byte[] bytes, int offset, Content content, byte[] linkBefore) {
        byte[] body = Arrays.copyOfRange(bytes, offset + HEAD_BYTES, offset + content.lengthBytes);
        return Arrays.equals(content.link, link(linkBefore, content.sequence, body));
    }

    private static byte[] body(JournalRecord record) {
        byte[] name = utf8(record.domainName());
        byte[] verb = utf8(record.verb());
        byte[] words = utf8(record.words());
        byte[] message = record.message().toByteArray();
        return ByteBuffer.allocate(52 + name.length + verb.length + words.length + message.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(record.timeMicros())
                .putInt(record.domain())
                .putLong(record.requestId())
                .putInt(record.phase().code())
                .putInt(record.status().code())
                .putLong(record.suppressed())
                .putInt(name.length)
                .put(name)
                .putInt(verb.length)
                .put(verb)
                .putInt(words.length)
                .put(words)
                .putInt(message.length)
                .put(message)
                .array();
    }

    private static JournalRecord record(ByteBuffer body) {
        long time = body.getLong();
        int domain = body.getInt();
        long request = body.getLong();
        JournalRecord.Phase phase = JournalRecord.Phase.of(body.getInt());
        VerbsStatus status = VerbsStatus.of(body.getInt());
        long suppressed = body.getLong();
        String name = text(body);
        String verb = text(body);
        String words = text(body);
        ByteString message = ByteString.copyFrom(bytes(body));
        return new JournalRecord(time, domain, name, request, phase, verb, words, status, suppressed, message);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(ByteBuffer body) {
        return new String(bytes(body), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(ByteBuffer body) {
        int lengthBytes = body.getInt();
        if (lengthBytes < 0 || lengthBytes > body.remaining()) {
            throw new IllegalArgumentException(lengthBytes + " bytes");
        }
        byte[] bytes = new byte[lengthBytes];
        body.get(bytes);
        return bytes;
    }

    private static byte[] link(byte[] before, long sequence, byte[] body) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(before);
            digest.update(ByteBuffer.allocate(Long.BYTES).putLong(sequence).array());
            return Arrays.copyOf(digest.digest(body), LINK_BYTES);
        } catch (NoSuchAlgorithmException e) {
            // Every Java services has it.
            throw new IllegalStateException(e);
        }
    }

    private static int crc(byte[] bytes, int offset, int lengthBytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, offset, CRC_OFFSET);
        crc.update(bytes, offset + HEAD_BYTES, lengthBytes - HEAD_BYTES);
        return (int) crc.getValue();
    }
}
