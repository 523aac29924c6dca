package io.hyperverbs.backend.channel;

import io.hyperverbs.backend.budget.ChannelBudget;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Closes a connection when its domain sends more HTTP/2 frames that carry nothing than its budget
 * allows: calls without a message, data that nobody waits for, resets, floods of SETTINGS,
 * PRIORITY, PING and the like cost the domain's event loop, and the core that it runs on. Looks at
 * the heads of frames only and hands every byte on. Channel thread.
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

    private final ChannelGuard guard;
    private final ChannelBudget budget;
    // Of the preface first, then of payloads.
    private int toSkip = PREFACE_BYTES;
    private int headBytes;
    private int lengthBytes;
    private int type;
    private int flags;
    private boolean closing;

    FrameLimit(ChannelGuard guard) {
        this.guard = guard;
        this.budget = guard.budget();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof ByteBuf bytes && !isAllowed(bytes)) {
            bytes.release();
            if (!closing) {
                closing = true;
                guard.flooded(context);
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
        long now = guard.nanoTime().getAsLong();
        return switch (type) {
            case DATA -> {
                // One that ends a call may be empty; the call itself was counted.
                boolean empty = lengthBytes == 0 && (flags & END_STREAM) == 0;
                yield empty ? budget.idle(now) : budget.data(now);
            }
            case HEADERS -> budget.call(now);
            case RST_STREAM -> budget.reset(now);
            // A driver's flow control pings once a round trip while data comes.
            case PING, WINDOW_UPDATE -> budget.ping(now);
            default -> budget.idle(now);
        };
    }
}
