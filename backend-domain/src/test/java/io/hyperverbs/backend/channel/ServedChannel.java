package io.hyperverbs.backend.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.stub.StreamObserver;
import io.hyperverbs.backend.budget.BudgetLimits;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.testing.ExecutorBench;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A session's channel on a socket, as guests find it. */
abstract class ServedChannel {
    static final String TOKEN = "0123456789abcdef";
    static final ControlRequest OPEN = new ControlRequest.OpenContext(DataPathKind.BYPASS);
    static final ChannelLimits LIMITS = new ChannelLimits(
            2,
            64 << 10,
            4 << 10,
            64,
            Duration.ofSeconds(2),
            Duration.ofMinutes(1),
            Duration.ofSeconds(30),
            BudgetLimits.standard());

    @TempDir
    Path folder;

    final List<String> violations = new CopyOnWriteArrayList<>();
    ExecutorBench bench;
    Session session;
    ChannelServers servers;
    DeviceServer server;
    Path socket;

    @BeforeEach
    void setUp() throws IOException {
        bench = new ExecutorBench(folder);
        session = bench.session(1, Map.of());
        servers = new ChannelServers(bench.executor, (of, words) -> violations.add(of.name() + ": " + words), LIMITS);
        socket = folder.resolve("device.sock");
        server = servers.open(session, socket, 0, TOKEN);
    }

    @AfterEach
    void tearDown() {
        server.close();
        bench.teardown.close(session);
        bench.close();
    }

    /** A guest that comes now is served, soon. */
    void awaitServed() {
        try (GuestStub guest = new GuestStub(socket, TOKEN)) {
            await().ignoreExceptions()
                    .untilAsserted(() -> assertThat(guest.call(OPEN)).isInstanceOf(ControlReply.ContextOpened.class));
        }
    }

    /** Writes down what a stream brings. */
    static class Collector<T> implements StreamObserver<T> {
        private final List<T> got;

        Collector(List<T> got) {
            this.got = got;
        }

        @Override
        public void onNext(T message) {
            got.add(message);
        }

        @Override
        public void onError(Throwable cause) {}

        @Override
        public void onCompleted() {}
    }
}
