package io.hyperverbs.backend.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.testing.ExecutorBench;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ManagementReply;
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
 * A guest asks for anything with any values, its own handles and its neighbour's among them. The
 * neighbour keeps what it has and what it had costs; when the guest ends nothing of it is left.
 */
class HostileRequestsTest {
    private static final int REQUESTS = 4000;
    private static final List<Kind> KINDS = List.of(Kind.values());
    private static final long[] EXTREMES = {
        0, 1, -1, 7, 8, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE
    };

    @TempDir
    Path state;

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14})
    void harmNobody(long seed) {
        try (ExecutorBench bench = new ExecutorBench(state)) {
            CmEnd neighbour = CmEnd.open(bench, 1);
            long listener = neighbour.listen();
            long service = neighbour
                    .reply(
                            new ManagementRequest.RegisterService(
                                    neighbour.objects().context(), 9, "store", PrivateData.none(), 3600),
                            ManagementReply.ServiceRegistered.class)
                    .handle();
            CmEnd hostile = CmEnd.open(
                    bench,
                    2,
                    Map.of(
                            "quota.control-rate", "1000000000",
                            "quota.cm", "40",
                            "quota.sa", "20"));
            Values values = new Values(new Random(seed), hostile, neighbour.qpn());
            values.handles.addAll(List.of(listener, service, neighbour.channel(), hostile.channel()));

            for (int i = 0; i < REQUESTS; i++) {
                ManagementRequest request = values.request();
                ControlReply reply = bench.call(hostile.session(), new ControlRequest.Management(request));
                values.learn(reply);
                assertThat(bench.management.size(hostile.session()))
                        .as("objects, seed %d", seed)
                        .isLessThanOrEqualTo(60);
            }
            hostile.die();

            assertThat(bench.management.size(hostile.session())).isZero();
            assertThat(hostile.session().contexts().objects()).isEmpty();
            // What was called and never answered is withdrawn, or known and can be let go.
            neighbour.done(new ManagementRequest.Release(service));
            neighbour.done(new ManagementRequest.Release(listener));
            neighbour
                    .take()
                    .forEach(notice -> neighbour.refusalOrDone(new ManagementRequest.Release(notice.connection())));
            assertThat(bench.management.size(neighbour.session()))
                    .as("the neighbour's objects, seed %d", seed)
                    .isEqualTo(1);
        }
    }

    /** Values that a program might never think of, and sometimes good ones. */
    private static final class Values {
        private final Random random;
        private final CmEnd self;
        private final int foreignQpn;
        private final List<Long> handles = new ArrayList<>();

        Values(Random random, CmEnd self, int foreignQpn) {
            this.random = random;
            this.self = self;
            this.foreignQpn = foreignQpn;
        }

        void learn(ControlReply reply) {
            if (reply instanceof ControlReply.Management answered) {
                switch (answered.reply()) {
                    case ManagementReply.Opened r -> handles.add(r.handle());
                    case ManagementReply.Resolved r -> handles.add(r.connection());
                    case ManagementReply.Joined r -> handles.add(r.handle());
                    case ManagementReply.ServiceRegistered r -> handles.add(r.handle());
                    case ManagementReply.Notices r -> r.notices().forEach(notice -> handles.add(notice.connection()));
                    case ManagementReply.OwnGid _,
                            ManagementReply.Path _,
                            ManagementReply.Pending _,
                            ManagementReply.Members _,
                            ManagementReply.Services _ -> {}
                }
            }
        }

        ManagementRequest request() {
            return switch (random.nextInt(14)) {
                case 0 -> new ManagementRequest.CreateChannel(context());
                case 1 -> new ManagementRequest.Listen(handle(), number(), small());
                case 2 -> new ManagementRequest.Resolve(handle(), destination());
                case 3 -> new ManagementRequest.Connect(handle(), CmEnd.SERVICE, offer(), number(), data());
                case 4 -> self.connect(handle());
                case 5 -> self.accept(handle());
                case 6 -> new ManagementRequest.Accept(handle(), offer(), number(), data());
                case 7 -> new ManagementRequest.Answer(handle(), KINDS.get(random.nextInt(KINDS.size())), data());
                case 8 -> new ManagementRequest.TakeEvents(handle());
                case 9 -> new ManagementRequest.Release(handle());
                case 10 -> new ManagementRequest.QueryPath(context(), destination());
                case 11 -> new ManagementRequest.JoinGroup(context(), gid(), small(), small());
                case 12 -> new ManagementRequest.RegisterService(context(), number(), text(), data(), number());
                default -> new ManagementRequest.QueryServices(context(), number(), text());
            };
        }

        private long handle() {
            return random.nextInt(8) == 0 ? number() : handles.get(random.nextInt(handles.size()));
        }

        private long context() {
            return random.nextInt(8) == 0 ? number() : self.objects().context();
        }

        private Destination destination() {
            return switch (random.nextInt(4)) {
                case 0 -> Destination.gid(gid());
                case 1 -> Destination.lid(small());
                case 2 -> Destination.guest(text());
                default -> Destination.guest(random.nextBoolean() ? "d1" : "d2");
            };
        }

        private Gid gid() {
            return random.nextBoolean()
                    ? new Gid(0xff12_0000_0000_0000L, random.nextInt(4))
                    : new Gid(number(), number());
        }

        private CmOffer offer() {
            int qpn = random.nextBoolean() ? self.qpn() : foreignQpn;
            List<QpType> types = List.of(QpType.values());
            QpType type = types.get(random.nextInt(types.size()));
            if (type == QpType.UD && random.nextBoolean()) {
                return CmOffer.ofDatagrams(random.nextBoolean() ? qpn : 0, random.nextInt(2));
            }
            return new CmOffer(type, qpn, small(), small(), small(), small(), small(), small());
        }

        private PrivateData data() {
            return PrivateData.of(new byte[random.nextInt(4) == 0 ? 100_000 : 92]);
        }

        private String text() {
            return switch (random.nextInt(4)) {
                case 0 -> "";
                case 1 -> "\u0000\u001b[2J\n";
                case 2 -> "x".repeat(100_000);
                default -> "store";
            };
        }

        private int small() {
            return random.nextBoolean() ? (int) number() : random.nextInt(9);
        }

        private long number() {
            return random.nextBoolean() ? EXTREMES[random.nextInt(EXTREMES.length)] : random.nextInt(1000);
        }
    }
}
