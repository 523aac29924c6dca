package io.hyperverbs.backend.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.testing.ExecutorBench;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.vmm.io.CmNotice;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ManagementRequest;
import io.hyperverbs.vmm.io.ManagementRequest.Answer.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two guests do anything at all in any order. Whatever it was: every call ends with an event, and
 * when all is closed nothing is left.
 */
class RandomCallsTest {
    private static final int STEPS = 3000;
    private static final long RESPONSE_NANOS = CmEnd.RESPONSE_MILLIS * 1_000_000;
    private static final long LONGER_THAN_ANYTHING_MILLIS = 10_000;

    @TempDir
    Path state;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void leaveNothingAndForgetNobody(long seed) {
        try (ExecutorBench bench = new ExecutorBench(state)) {
            Map<String, String> quotas = Map.of("quota.control-rate", "1000000000");
            Guest[] guests = {new Guest(CmEnd.open(bench, 1, quotas)), new Guest(CmEnd.open(bench, 2, quotas))};
            Random random = new Random(seed);
            for (int i = 0; i < STEPS; i++) {
                Guest guest = guests[random.nextInt(2)];
                guest.act(random, guests[random.nextInt(2)].end);
                bench.passMillis(random.nextInt(40));
            }

            bench.passMillis(LONGER_THAN_ANYTHING_MILLIS);
            bench.passMillis(LONGER_THAN_ANYTHING_MILLIS);
            for (Guest guest : guests) {
                guest.take();
                assertThat(guest.calling)
                        .as("calls without an end, seed %d", seed)
                        .isEmpty();
            }
            for (Guest guest : guests) {
                guest.closeAll();
                assertThat(bench.management.size(guest.end.session()))
                        .as("objects but for the channel, seed %d", seed)
                        .isEqualTo(1);
                assertThat(guest.end.take())
                        .as("events of nothing, seed %d", seed)
                        .isEmpty();
            }
        }
    }

    /** One guest with what it knows of. */
    private static final class Guest {
        private final CmEnd end;
        private final List<Long> connections = new ArrayList<>();

        /** Calls of this guest's that nothing has been heard of. */
        private final List<Long> calling = new ArrayList<>();

        private long listener;

        Guest(CmEnd end) {
            this.end = end;
        }

        void act(Random random, CmEnd other) {
            switch (random.nextInt(9)) {
                case 0 -> listen();
                case 1 -> {
                    if (connections.size() < 20) {
                        connections.add(end.resolve(other));
                    }
                }
                case 2, 3 -> {
                    long chosen = choose(random);
                    if (attempt(random.nextInt(3) == 0 ? ask(chosen) : end.connect(chosen))) {
                        calling.add(chosen);
                    }
                }
                case 4 -> {
                    long chosen = choose(random);
                    attempt(random.nextInt(3) == 0 ? reply(chosen) : end.accept(chosen));
                }
                case 5 -> attempt(CmEnd.answer(choose(random), kind(random)));
                case 6 -> close(choose(random));
                default -> take();
            }
        }

        void take() {
            for (List<CmNotice> taken = end.take(); !taken.isEmpty(); taken = end.take()) {
                for (CmNotice notice : taken) {
                    if (notice.type() == CmEvent.Type.CONNECT_REQUEST) {
                        connections.add(notice.connection());
                    }
                    calling.remove(notice.connection());
                }
            }
        }

        void closeAll() {
            take();
            for (long connection : List.copyOf(connections)) {
                close(connection);
            }
            if (listener != 0) {
                end.done(new ManagementRequest.Release(listener));
            }
        }

        private void listen() {
            if (listener == 0) {
                listener = end.listen();
            } else {
                end.done(new ManagementRequest.Release(listener));
                listener = 0;
            }
        }

        private void close(long connection) {
            if (attempt(new ManagementRequest.Release(connection))) {
                connections.remove(connection);
                calling.remove(connection);
            }
        }

        private static ManagementRequest ask(long chosen) {
            return new ManagementRequest.Connect(
                    chosen, CmEnd.SERVICE, CmOffer.ofDatagrams(0, 0), RESPONSE_NANOS, PrivateData.none());
        }

        private ManagementRequest reply(long chosen) {
            return new ManagementRequest.Accept(
                    chosen, CmOffer.ofDatagrams(end.qpn(), 1), RESPONSE_NANOS, PrivateData.none());
        }

        private long choose(Random random) {
            return connections.isEmpty() ? 0 : connections.get(random.nextInt(connections.size()));
        }

        private static Kind kind(Random random) {
            Kind[] kinds = Kind.values();
            return kinds[random.nextInt(kinds.length)];
        }

        private boolean attempt(ManagementRequest request) {
            return end.bench().call(end.session(), new ControlRequest.Management(request)) instanceof ControlReply.Done;
        }
    }
}
