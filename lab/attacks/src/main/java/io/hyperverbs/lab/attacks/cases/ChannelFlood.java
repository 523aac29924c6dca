package io.hyperverbs.lab.attacks.cases;

import io.hyperverbs.lab.attacks.raw.Http2;
import io.hyperverbs.lab.attacks.raw.RawSocket;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Bytes on the device socket as fast as it takes them, on one connection after the other, and a
 * count of what the server answered. The driver's own connections are ended first: a domain may
 * have two. One thread.
 */
public final class ChannelFlood implements AutoCloseable {
    private static final int CALLS = 32;
    private static final int ANSWER_BYTES = 1 << 16;

    /** What is sent. */
    public enum Kind {
        /** Calls of a method that there is not. */
        BAD_PATH,
        /** Calls that say their messages are compressed. */
        COMPRESSED,
        /** Calls whose streams the server has to reset, as they go on after their end. */
        AFTER_END,
        /** Nothing but connections. */
        RECONNECTS
    }

    private final Kind kind;
    private final byte[] headers;
    private final ByteBuffer answers = ByteBuffer.allocate(ANSWER_BYTES);
    private @Nullable RawSocket socket;
    private ByteBuffer unsent = ByteBuffer.allocate(0);
    private int nextStream;
    private long connections;
    private long sentCalls;
    private long answeredBytes;
    private long served;
    private boolean isServed;

    private ChannelFlood(Kind kind) {
        this.kind = kind;
        this.headers = switch (kind) {
            case BAD_PATH, AFTER_END, RECONNECTS -> Http2.call("/none/none", Map.of());
            case COMPRESSED -> Http2.call("/hyperverbs.io.DeviceChannel/Call", Map.of("grpc-encoding", "gzip"));
        };
    }

    /**
     * Ends the driver's connections; the flood begins with the first {@link #step}.
     *
     * @throws io.hyperverbs.lab.attacks.raw.SocketRefused where no sockets can be made
     */
    public static ChannelFlood begin(Kind kind) throws IOException {
        HangUp.driver();
        return new ChannelFlood(kind);
    }

    /** Connects if it must, sends what is taken now, and reads what was answered. */
    public void step() throws IOException {
        RawSocket now = socket;
        if (now == null || !now.isOpen()) {
            now = connect();
        }
        if (kind == Kind.RECONNECTS) {
            read(now);
            now.close();
            socket = null;
            return;
        }
        if (!unsent.hasRemaining()) {
            unsent = ByteBuffer.wrap(calls());
            sentCalls += CALLS;
        }
        byte[] rest = new byte[unsent.remaining()];
        unsent.duplicate().get(rest);
        unsent.position(unsent.position() + now.write(rest));
        read(now);
    }

    /** Connections made. */
    public long connections() {
        return connections;
    }

    /** Connections on which the server said anything. */
    public long served() {
        return served;
    }

    /** Calls sent, whether or not anybody read them. */
    public long sentCalls() {
        return sentCalls;
    }

    /** Bytes that the server answered. */
    public long answeredBytes() {
        return answeredBytes;
    }

    @Override
    public void close() throws IOException {
        if (socket != null) {
            socket.close();
        }
    }

    private RawSocket connect() throws IOException {
        if (socket != null) {
            socket.close();
        }
        RawSocket made = RawSocket.device();
        socket = made;
        connections++;
        nextStream = 1;
        isServed = false;
        unsent = ByteBuffer.wrap(Http2.preface());
        return made;
    }

    private void read(RawSocket from) {
        int read = from.read(answers.clear());
        while (read > 0) {
            answeredBytes += read;
            if (!isServed) {
                isServed = true;
                served++;
            }
            read = from.read(answers.clear());
        }
    }

    private byte[] calls() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < CALLS; i++, nextStream += 2) {
            bytes.writeBytes(Http2.frame(
                    Http2.HEADERS,
                    Http2.END_HEADERS | (kind == Kind.AFTER_END ? 0 : Http2.END_STREAM),
                    nextStream,
                    headers));
            if (kind == Kind.AFTER_END) {
                byte[] payload = new byte[8];
                bytes.writeBytes(Http2.frame(Http2.DATA, Http2.END_STREAM, nextStream, payload));
                bytes.writeBytes(Http2.frame(Http2.DATA, 0, nextStream, payload));
                bytes.writeBytes(Http2.frame(Http2.WINDOW_UPDATE, 0, nextStream, new byte[4]));
            }
        }
        return bytes.toByteArray();
    }
}
