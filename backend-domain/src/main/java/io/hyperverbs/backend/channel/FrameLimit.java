package io.hyperverbs.backend.channel;

import io.hyperverbs.backend.session.TokenBucket;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

import java.util.function.LongSupplier;

/**
 * Closes a connection that sends HTTP/2 frames which carry nothing, faster than any driver does:
 * floods of SETTINGS, PRIORITY, empty DATA, PING and the like cost the event loop, which all guests
 * share. Looks at the heads of frames only and hands every byte on. Channel thread.
 *
 * <pre>
 *  +0        length, 3 bytes, big-endian
 *  +3        type
 *  +4        flags
 *  +5        stream, 4 bytes; then the payload
 * </pre>
 */
final class FrameLimit extends ChannelInboundHandlerAdapter {
    private static final int PREFACE_BYTES = 24;
    private static final int HEAD_BYTES = 9;
    private static final int END_STREAM = 1;

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int PING = 6;
    private static final int WINDOW_UPDATE = 8;

    private final TokenBucket seldom;
    private final TokenBucket frequent;
    private final LongSupplier nanoTime;
    private final Runnable exceeded;
    // Of the preface first, then of payloads.
    private int toSkip = PREFACE_BYTES;
    private int headBytes;
    private int lengthBytes;
    private int type;
    private int flags;
    private boolean closing;

    /**
     * @param exceeded told once, before the connection is closed
     */
    FrameLimit(ChannelLimits limits, LongSupplier nanoTime, Runnable exceeded) {
        this.seldom = new TokenBucket(limits.idleFramesPerSecond());
        this.frequent = new TokenBucket(limits.pingsPerSecond());
        this.nanoTime = nanoTime;
        this.exceeded = exceeded;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof ByteBuf bytes && !isAllowed(bytes)) {
            bytes.release();
            if (!closing) {
                closing = true;
                exceeded.run();
                var _ = context.close();
            }
            return;
        }
        context.fireChannelRead(message);
    }

    private boolean isAllowed(ByteBuf bytes) {
        int at = bytes.readerIndex();
        int end = bytes.writerIndex();
        while (at < end && !closing) {
            if (toSkip > 0) {
                int skipped = Math.min(toSkip, end - at);
                toSkip -= skipped;
                at += skipped;
            } else if (completesHead(bytes.getUnsignedByte(at++)) && !isFrameAllowed()) {
                return false;
            }
        }
        return !closing;
    }

    private boolean completesHead(int octet) {
        switch (headBytes++) {
            case 0 -> lengthBytes = octet;
            case 1, 2 -> lengthBytes = lengthBytes << 8 | octet;
            case 3 -> type = octet;
            case 4 -> flags = octet;
            default -> {}
        }
        if (headBytes < HEAD_BYTES) {
            return false;
        }
        headBytes = 0;
        toSkip = lengthBytes;
        return true;
    }

    private boolean isFrameAllowed() {
        return switch (type) {
            case DATA ->
                    lengthBytes > 0
                            || (flags & END_STREAM) != 0
                            || seldom.take(nanoTime.getAsLong());
            // gRPC counts calls and resets itself.
            case HEADERS, RST_STREAM -> true;
            // A driver's flow control pings once a round trip while data comes.
            case PING, WINDOW_UPDATE -> frequent.take(nanoTime.getAsLong());
            default -> seldom.take(nanoTime.getAsLong());
        };
    }
}
