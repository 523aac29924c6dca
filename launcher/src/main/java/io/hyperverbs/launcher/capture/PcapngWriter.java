package io.hyperverbs.launcher.capture;

import io.hyperverbs.launcher.capture.CaptureFrame.Direction;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * Writes a capture in pcapng (draft-ietf-opsawg-pcapng), block after block into a stream: section
 * header, interfaces, then packets as they come, with times in nanoseconds. Only whole blocks are
 * written, at {@link #flush} or when many have gathered, so that what is in the file can be read at
 * any moment. One thread.
 */
public final class PcapngWriter implements Closeable {
    private static final int SECTION_HEADER = 0x0a0d_0d0a;
    private static final int INTERFACE_DESCRIPTION = 1;
    private static final int INTERFACE_STATISTICS = 5;
    private static final int ENHANCED_PACKET = 6;

    private static final int BYTE_ORDER_MAGIC = 0x1a2b_3c4d;
    private static final int MAJOR_VERSION = 1;
    private static final int MINOR_VERSION = 0;
    private static final long LENGTH_UNKNOWN = -1;
    private static final int UNLIMITED = 0;

    private static final int FLAGS = 2;
    private static final int USER_APPLICATION = 4;
    private static final int NAME = 2;
    private static final int DESCRIPTION = 3;
    private static final int TIME_RESOLUTION = 9;
    private static final byte[] NANOSECONDS = {9};
    private static final int RECEIVED = 4;
    private static final int DROPPED = 5;

    private static final int GATHERED_BYTES = 1 << 18;

    private final OutputStream out;
    private final int interfaces;
    private final PcapngBlocks blocks = new PcapngBlocks();

    /**
     * Writes the header and all interfaces.
     *
     * @param out gets few large writes; closed with this
     * @param application what has made the capture
     * @param comments of the whole capture, each up to 65535 bytes of UTF-8
     * @param interfaces packets name them by index
     */
    public PcapngWriter(OutputStream out, String application, List<String> comments, List<CaptureInterface> interfaces)
            throws IOException {
        this.out = out;
        this.interfaces = interfaces.size();
        blocks.begin(SECTION_HEADER);
        blocks.putInt(BYTE_ORDER_MAGIC);
        blocks.putShort(MAJOR_VERSION);
        blocks.putShort(MINOR_VERSION);
        blocks.putLong(LENGTH_UNKNOWN);
        blocks.comments(comments);
        blocks.option(USER_APPLICATION, application);
        blocks.end();
        for (CaptureInterface each : interfaces) {
            describe(each);
        }
        flush();
    }

    private void describe(CaptureInterface each) {
        blocks.begin(INTERFACE_DESCRIPTION);
        blocks.putShort(each.linkType().code());
        blocks.putShort(0);
        blocks.putInt(UNLIMITED);
        blocks.option(NAME, each.name());
        if (!each.description().isEmpty()) {
            blocks.option(DESCRIPTION, each.description());
        }
        blocks.option(TIME_RESOLUTION, NANOSECONDS);
        blocks.end();
    }

    /**
     * Adds a packet.
     *
     * @param interfaceIndex of the interfaces given at first
     * @param epochNanos time since 1970-01-01 UTC
     * @param packet as its interface's link type says
     * @param comments each up to 65535 bytes of UTF-8
     */
    public void packet(int interfaceIndex, long epochNanos, byte[] packet, List<String> comments) throws IOException {
        packet(interfaceIndex, epochNanos, new CaptureFrame(packet, packet.length, Direction.UNKNOWN, comments));
    }

    /** Adds a packet with its direction, of which the end may be missing. */
    public void packet(int interfaceIndex, long epochNanos, CaptureFrame frame) throws IOException {
        byte[] bytes = frame.bytes();
        blocks.begin(ENHANCED_PACKET);
        blocks.putInt(known(interfaceIndex));
        blocks.putHalves(epochNanos);
        blocks.putInt(bytes.length);
        blocks.putInt(frame.wholeBytes());
        blocks.putPadded(bytes, bytes.length);
        blocks.comments(frame.comments());
        if (frame.direction() != Direction.UNKNOWN) {
            blocks.word(FLAGS, frame.direction().code());
        }
        blocks.end();
        if (blocks.size() >= GATHERED_BYTES) {
            flush();
        }
    }

    /** Adds how many packets an interface has seen, and how many of them are missing in the capture. */
    public void statistics(int interfaceIndex, long epochNanos, long received, long dropped) throws IOException {
        blocks.begin(INTERFACE_STATISTICS);
        blocks.putInt(known(interfaceIndex));
        blocks.putHalves(epochNanos);
        blocks.option(RECEIVED, received);
        blocks.option(DROPPED, dropped);
        blocks.end();
        flush();
    }

    private int known(int interfaceIndex) {
        if (interfaceIndex < 0 || interfaceIndex >= interfaces) {
            throw new IllegalArgumentException("interface " + interfaceIndex + " of " + interfaces);
        }
        return interfaceIndex;
    }

    /** Writes out what has gathered. */
    public void flush() throws IOException {
        blocks.writeTo(out);
    }

    @Override
    public void close() throws IOException {
        try (out) {
            flush();
        }
    }
}
