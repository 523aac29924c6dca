package io.hyperverbs.backend.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.budget.BudgetLimits;
import io.hyperverbs.backend.budget.LoopShares;
import io.hyperverbs.backend.session.RejectedAct;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameLimitTest {
    private static final BudgetLimits LIMITS = BudgetLimits.standard();
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SECOND = 1_000_000_000;

    private long nowNanos;
    private int exceeded;
    private final ChannelGuard guard = new ChannelGuard(
            ChannelLimits.standard(),
            new LoopShares(1).join(),
            () -> nowNanos,
            () -> 0,
            act -> exceeded += act == RejectedAct.FLOOD ? 1 : 0);
    private final EmbeddedChannel connection = new EmbeddedChannel(new FrameLimit(guard));

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
        expectClosedBeyond(LIMITS.idlePerSecond(), frame(type, 0, 6));
    }

    private void expectClosedBeyond(int allowed, byte[] frame) {
        send(new byte[24]);
        for (int i = 0; i < allowed; i++) {
            send(frame);
        }
        assertThat(connection.isOpen()).isTrue();

        send(frame);

        assertThat(connection.isOpen()).isFalse();
        assertThat(exceeded).isEqualTo(1);
    }

    @Test
    void closesAtAFloodOfEmptyData() {
        send(new byte[24]);
        for (int i = 0; i <= LIMITS.idlePerSecond(); i++) {
            send(frame(0, 0, 0));
        }

        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void closesAtAFloodOfPings() {
        expectClosedBeyond(LIMITS.pingsPerSecond(), frame(6, 0, 8));
    }

    /** As a guest can send them for ever: calls without a message, data of no call, resets. */
    @ParameterizedTest
    @ValueSource(ints = {DATA, HEADERS, RST_STREAM})
    void closesAtAFloodOfFramesThatMakeNoMessage(int type) {
        int burst = switch (type) {
            case DATA -> LIMITS.dataBurst();
            case HEADERS -> LIMITS.callBurst();
            default -> LIMITS.resetBurst();
        };
        expectClosedBeyond(burst, frame(type, 0, 6));
    }

    @Test
    void isOfTheDomainAndNotOfAConnection() {
        send(new byte[24]);
        for (int i = 0; i <= LIMITS.callBurst(); i++) {
            send(frame(HEADERS, 4, 6));
        }
        EmbeddedChannel another = new EmbeddedChannel(new FrameLimit(guard));

        another.writeInbound(Unpooled.wrappedBuffer(new byte[24]));
        another.writeInbound(Unpooled.wrappedBuffer(frame(HEADERS, 4, 6)));

        assertThat(another.isOpen()).isFalse();
        assertThat(exceeded).isEqualTo(2);
        another.releaseInbound();
    }

    @Test
    void letsThemPassOverTime() {
        send(new byte[24]);
        for (int i = 0; i < 10 * LIMITS.idlePerSecond(); i++) {
            nowNanos += SECOND / LIMITS.idlePerSecond();
            send(frame(4, 0, 0));
        }

        assertThat(connection.isOpen()).isTrue();
    }

    @Test
    void handsOnCallsHoweverTheyAreCutIntoPieces() {
        SplittableRandom random = new SplittableRandom(4);
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        sent.writeBytes(new byte[24]);
        for (int i = 0; i < 10_000; i++) {
            sent.writeBytes(frame(HEADERS, 4, random.nextInt(60)));
            sent.writeBytes(frame(DATA, 1, random.nextInt(1, 300)));
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
            // The calls of this piece and their messages were read.
            for (int call = 0; call < 500 / 18; call++) {
                guard.budget().usefulCall();
                guard.budget().message(300);
            }
        }

        assertThat(handed).isEqualTo(bytes.length);
        assertThat(connection.isOpen()).isTrue();
        assertThat(exceeded).isZero();
    }

    @Test
    void emptyDataThatEndsACallIsDataOfIt() {
        send(new byte[24]);
        for (int i = 0; i < 10 * LIMITS.idlePerSecond(); i++) {
            send(frame(DATA, 1, 0));
        }

        assertThat(connection.isOpen()).isTrue();
        assertThat(exceeded).isZero();
    }

    /** The connection may take its time to close, and its bytes may still come. */
    @Test
    void whatCameWithTheFloodOrAfterItIsDropped() {
        int[] closes = new int[1];
        ChannelOutboundHandlerAdapter slow = new ChannelOutboundHandlerAdapter() {
            @Override
            public void close(ChannelHandlerContext context, ChannelPromise promise) {
                closes[0]++;
            }
        };
        EmbeddedChannel closing = new EmbeddedChannel(slow, new FrameLimit(guard));
        ByteArrayOutputStream flood = new ByteArrayOutputStream();
        flood.writeBytes(new byte[24]);
        for (int i = 0; i <= LIMITS.idlePerSecond(); i++) {
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

    /** As that of HTTP/2 does, which waits for its streams. */
    @Test
    void closesWhateverTheTransportBehindItDoesAtAClose() {
        ChannelOutboundHandlerAdapter patient = new ChannelOutboundHandlerAdapter() {
            @Override
            public void close(ChannelHandlerContext context, ChannelPromise promise) {
                // Not yet.
            }
        };
        EmbeddedChannel before = new EmbeddedChannel(new FrameLimit(guard), patient);

        before.writeInbound(Unpooled.wrappedBuffer(new byte[24]));
        for (int i = 0; i <= LIMITS.callBurst(); i++) {
            before.writeInbound(Unpooled.wrappedBuffer(frame(HEADERS, 4, 6)));
        }

        assertThat(before.isOpen()).isFalse();
        before.releaseInbound();
    }

    @Test
    void handsOnWhatIsNoBytes() {
        Object told = new Object();

        connection.writeInbound(told);

        assertThat(connection.<Object>readInbound()).isSameAs(told);
    }
}
