package io.hyperverbs.backend.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.session.SessionSettings;
import io.hyperverbs.frontend.channel.CallTiming;
import io.hyperverbs.frontend.channel.DeviceChannelClient;
import io.hyperverbs.hca.port.PkeyTable;
import io.hyperverbs.verbs.Pkey;
import io.hyperverbs.vmm.io.EventSink;
import java.lang.reflect.Proxy;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A guest that stands still between connecting its event channel and its first bytes, by the
 * backend's real server and the driver's real client.
 */
@Timeout(60)
class LateHandshakeTest {
    private static final String TOKEN = "0123456789abcdef";

    @TempDir
    Path folder;

    private final List<String> seen = new CopyOnWriteArrayList<>();

    @Test
    void guestHearsEventsAllTheSame() throws Exception {
        Session session = session();
        Path real = folder.resolve("real.sock");
        Path socket = folder.resolve("device.sock");
        // No verb is called here, so that nobody carries any out.
        ChannelServers servers = new ChannelServers(null, (_, words) -> seen.add(words), ChannelLimits.standard());
        try (DeviceServer server = servers.open(session, real, 0, TOKEN);
                DeviceChannelClient guest = DeviceChannelClient.connect(socket, TOKEN, CallTiming.standard())) {
            assertThat(server).isNotNull();
            try (ServerSocketChannel between = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                between.bind(UnixDomainSocketAddress.of(socket));
                guest.subscribe(seesAll());
                standStill(between, real);
                Files.delete(socket);
            }
            Files.move(real, socket);

            guest.awaitSubscribed();
            session.events().completion(77);

            await().untilAsserted(() -> assertThat(seen).containsExactly("subscribed []", "completion [77]"));
        }
    }

    /** Connects for the guest and passes none of its bytes on, until the backend hangs up. */
    private static void standStill(ServerSocketChannel between, Path real) throws Exception {
        try (SocketChannel guest = between.accept();
                SocketChannel backend = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            assertThat(guest.isConnected()).isTrue();
            backend.connect(UnixDomainSocketAddress.of(real));
            ByteBuffer bytes = ByteBuffer.allocate(4096);
            while (backend.read(bytes.clear()) >= 0) {
                assertThat(backend.isOpen()).isTrue();
            }
        }
    }

    static Session session() throws Exception {
        return new Session(
                1, "a", false, SessionSettings.of(Map.of(), 1 << 20, new PkeyTable(List.of(Pkey.DEFAULT))), List.of());
    }

    /** Writes each event down, by its name and arguments. */
    private EventSink seesAll() {
        return (EventSink) Proxy.newProxyInstance(
                EventSink.class.getClassLoader(), new Class<?>[] {EventSink.class}, (_, event, arguments) -> {
                    seen.add(event.getName() + " " + (arguments == null ? List.of() : List.of(arguments)));
                    return null;
                });
    }
}
