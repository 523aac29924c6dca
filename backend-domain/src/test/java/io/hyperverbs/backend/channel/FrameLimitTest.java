package io.hyperverbs.backend.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.util.SplittableRandom;

class FrameLimitTest {
    private static final ChannelLimits LIMITS = ChannelLimits.standard();
    private static final int SECOND = 1_000_000_000;

    private long nowNanos;
    private int exceeded;
    private final EmbeddedChannel connection =
            new EmbeddedChannel(new FrameLimit(LIMITS, () -> nowNanos, () -> exceeded++));

    private static byte[] frame(int type, int flags, int payloadBytes) {
        byte[] frame = new byte[9 + payloadBytes];
        frame[0] = (byte) (payloadBytes >> 16);
        frame[1] = (byte) (payloadBytes >> 8);
        frame[2] = (byte) payloadBytes;
        frame[3] = (byte) type;
        frame[4] = (byte) flags;
        // What looks like heads of floods in a payload is none.
        java.util.Arrays.fill(frame, 9, frame.length, (byte) 4);
        return frame;
    }

    private void send(byte[] bytes) {
        connection.writeInbound(Unpooled.wrappedBuffer(bytes));
        Object handed = connection.readInbound();
        if (handed instanceof ByteBuf taken) {
            taken.release();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 5, 7, 9, 11, 255})
    void closesAtAFloodOfFramesThatCarryNothing(int type) {
        send(new byte[24]);
        for (int i = 0; i < LIMITS.idleFramesPerSecond(); i++) {
            send(frame(type, 0, 6));
        }
        assertThat(connection.isOpen()).isTrue();

        send(frame(type, 0, 6));

        assertThat(connection.isOpen()).isFalse();
        assertThat(exceeded).isEqualTo(1);
    }

    @Test
    void closesAtAFloodOfEmptyData() {
        send(new byte[24]);
        for (int i = 0; i <= LIMITS.idleFramesPerSecond(); i++) {
            send(frame(0, 0, 0));
        }

        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void closesAtAFloodOfPings() {
        send(new byte[24]);
        for (int i = 0; i < LIMITS.pingsPerSecond(); i++) {
            send(frame(6, 0, 8));
        }
        assertThat(connection.isOpen()).isTrue();

        send(frame(6, 0, 8));

        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void letsThemPassOverTime() {
        send(new byte[24]);
        for (int i = 0; i < 10 * LIMITS.idleFramesPerSecond(); i++) {
            nowNanos += SECOND / LIMITS.idleFramesPerSecond();
            send(frame(4, 0, 0));
        }

        assertThat(connection.isOpen()).isTrue();
    }

    @Test
    void handsOnCallsHoweverTheyAreCutIntoPieces() {
        SplittableRandom random = new SplittableRandom(4);
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        sent.writeBytes(new byte[24]);
        for (int i = 0; i < 20_000; i++) {
            sent.writeBytes(frame(1, 4, random.nextInt(60)));
            sent.writeBytes(frame(0, 1, random.nextInt(1, 300)));
        }
        byte[] bytes = sent.toByteArray();
        long handed = 0;
        for (int at = 0; at < bytes.length; ) {
            int piece = Math.min(bytes.length - at, 1 + random.nextInt(500));
            connection.writeInbound(Unpooled.copiedBuffer(bytes, at, piece));
            ByteBuf taken = connection.readInbound();
            handed += taken.readableBytes();
            taken.release();
            at += piece;
        }

        assertThat(handed).isEqualTo(bytes.length);
        assertThat(connection.isOpen()).isTrue();
        assertThat(exceeded).isZero();
    }

    /** The transport counts calls itself. */
    @Test
    void emptyDataThatEndsACallCostsNothing() {
        send(new byte[24]);
        for (int i = 0; i < 10 * LIMITS.idleFramesPerSecond(); i++) {
            send(frame(0, 1, 0));
        }

        assertThat(connection.isOpen()).isTrue();
        assertThat(exceeded).isZero();
    }

    /** The connection may take its time to close, and its bytes may still come. */
    @Test
    void whatCameWithTheFloodOrAfterItIsDropped() {
        int[] closes = new int[1];
        ChannelOutboundHandlerAdapter slow =
                new ChannelOutboundHandlerAdapter() {
                    @Override
                    public void close(ChannelHandlerContext context, ChannelPromise promise) {
                        closes[0]++;
                    }
                };
        EmbeddedChannel closing =
                new EmbeddedChannel(slow, new FrameLimit(LIMITS, () -> nowNanos, () -> exceeded++));
        ByteArrayOutputStream flood = new ByteArrayOutputStream();
        flood.writeBytes(new byte[24]);
        for (int i = 0; i <= LIMITS.idleFramesPerSecond(); i++) {
            flood.writeBytes(frame(4, 0, 0));
        }
        flood.writeBytes(frame(1, 4, 20));
        ByteBuf first = Unpooled.wrappedBuffer(flood.toByteArray());
        ByteBuf second = Unpooled.wrappedBuffer(frame(1, 4, 20));

        closing.writeInbound(first, second);

        assertThat(closing.inboundMessages()).isEmpty();
        assertThat(first.refCnt()).isZero();
        assertThat(second.refCnt()).isZero();
        assertThat(closes).containsExactly(1);
        assertThat(exceeded).isEqualTo(1);
    }

    @Test
    void handsOnWhatIsNoBytes() {
        Object told = new Object();

        connection.writeInbound(told);

        assertThat(connection.<Object>readInbound()).isSameAs(told);
    }
}
