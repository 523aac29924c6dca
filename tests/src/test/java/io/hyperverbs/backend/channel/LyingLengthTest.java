package io.hyperverbs.backend.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.lab.attacks.raw.Http2;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes that a guest's driver never sends, by the backend's real server. */
@Timeout(60)
class LyingLengthTest {
    private static final String TOKEN = "0123456789abcdef";
    private static final String METHOD = "/hyperverbs.io.DeviceChannel/Call";
    private static final int STREAM = 1;

    @TempDir
    Path folder;

    private final DefaultHttp2HeadersDecoder headers = new DefaultHttp2HeadersDecoder();

    /** The prefix of a gRPC message: one byte of flags, and a length of up to 4 GiB. */
    @ParameterizedTest
    @ValueSource(ints = {(64 << 10) + 1, 1 << 30, Integer.MAX_VALUE, Integer.MIN_VALUE, -1})
    void refusesAMessageThatIsSaidToBeTooLongBeforeItComes(int announcedBytes) throws Exception {
        List<String> seen = new ArrayList<>();
        Session session = LateHandshakeTest.session();
        Path socket = folder.resolve("device.sock");
        ChannelServers servers = new ChannelServers(null, (_, words) -> seen.add(words), ChannelLimits.standard());
        try (DeviceServer server = servers.open(session, socket, 0, TOKEN);
                SocketChannel guest = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            assertThat(server).isNotNull();
            guest.connect(UnixDomainSocketAddress.of(socket));
            write(guest, Http2.preface());
            byte[] call = Http2.call(METHOD, Map.of(TokenCheck.TOKEN.name(), TOKEN));
            write(guest, Http2.frame(Http2.HEADERS, Http2.END_HEADERS, STREAM, call));
            byte[] prefix = ByteBuffer.allocate(5).putInt(1, announcedBytes).array();
            write(guest, Http2.frame(Http2.DATA, 0, STREAM, prefix));

            assertThat(status(guest)).isEqualTo(Status.Code.RESOURCE_EXHAUSTED.value());
        }
        assertThat(seen).isEmpty();
    }

    private static void write(SocketChannel guest, byte[] bytes) throws IOException {
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        while (rest.hasRemaining()) {
            assertThat(guest.write(rest)).isPositive();
        }
    }

    /** How the call ended, in the headers of its last frame. */
    private int status(SocketChannel guest) throws IOException, Http2Exception {
        DataInputStream answers = new DataInputStream(Channels.newInputStream(guest));
        while (true) {
            byte[] head = answers.readNBytes(Http2.HEAD_BYTES);
            assertThat(head).as("the head of a frame").hasSize(Http2.HEAD_BYTES);
            byte[] payload = answers.readNBytes((head[0] & 0xff) << 16 | (head[1] & 0xff) << 8 | head[2] & 0xff);
            if (head[3] == Http2.HEADERS) {
                CharSequence status = headers.decodeHeaders(STREAM, Unpooled.wrappedBuffer(payload))
                        .get("grpc-status");
                if (status != null) {
                    return Integer.parseInt(status.toString());
                }
            }
        }
    }
}
