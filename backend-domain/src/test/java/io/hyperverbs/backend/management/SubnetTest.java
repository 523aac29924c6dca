package io.hyperverbs.backend.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.testing.Bench;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.PrivateData;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.verbs.sa.MemberRecord;
import io.hyperverbs.verbs.sa.PathRecord;
import io.hyperverbs.verbs.sa.ServiceRecord;
import io.hyperverbs.vmm.io.ManagementReply;
import io.hyperverbs.vmm.io.ManagementRequest;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Subnet administration for two guests. */
class SubnetTest {
    private static final Gid GROUP = new Gid(0xff12_0000_0000_0000L, 1);
    private static final int QKEY = 0x11;
    private static final int FULL = 1;
    private static final int SEND_ONLY = 4;

    @TempDir Path state;
    private Bench bench;
    private CmEnd one;
    private CmEnd two;

    @BeforeEach
    void setUp() {
        bench = new Bench(state);
        one = CmEnd.open(bench, 1);
        two = CmEnd.open(bench, 2);
    }

    @AfterEach
    void tearDown() {
        bench.close();
    }

    @Nested
    class Paths {
        @Test
        void leadFromOneGuestToTheOther() {
            PathRecord path = path(one, Destination.guest("d2"));

            assertThat(path.sourceGid()).isEqualTo(gid(one));
            assertThat(path.destinationGid()).isEqualTo(gid(two));
            assertThat(path(one, Destination.gid(gid(two)))).isEqualTo(path);
        }

        @Test
        void leadToEachPortByLidAndGid() {
            PortSettings ports = PortSettings.standard(1, 2048);
            for (int port = 1; port <= ports.count(); port++) {
                PathRecord path = path(one, Destination.lid(ports.lid(port)));

                assertThat(path.destinationGid()).isEqualTo(ports.gid(port));
                assertThat(path(one, Destination.gid(ports.gid(port)))).isEqualTo(path);
            }
        }

        @Test
        void endWithTheGuest() {
            Gid gone = gid(two);
            two.die();

            assertThat(refusal(one, Destination.guest("d2"))).isEqualTo(VerbsStatus.ENOENT);
            assertThat(refusal(one, Destination.gid(gone))).isEqualTo(VerbsStatus.ENOENT);
        }

        private VerbsStatus refusal(CmEnd from, Destination to) {
            return from.refusal(new ManagementRequest.QueryPath(from.objects().context(), to));
        }

        private PathRecord path(CmEnd from, Destination to) {
            return from.reply(
                            new ManagementRequest.QueryPath(from.objects().context(), to),
                            ManagementReply.Path.class)
                    .path();
        }
    }

    @Nested
    class Groups {
        @Test
        void haveARecordForEachPort() {
            MemberRecord first = join(one, GROUP, FULL).member();
            MemberRecord second = join(two, GROUP, SEND_ONLY).member();

            assertThat(members(two)).containsExactly(first, second);
            assertThat(first.port()).isEqualTo(gid(one));
            assertThat(second.port()).isEqualTo(gid(two));
            assertThat(second.mlid()).isEqualTo(first.mlid());
        }

        @Test
        void loseTheMembershipsOfAGuestThatDies() {
            var _ = join(one, GROUP, FULL);
            MemberRecord left = join(two, GROUP, FULL).member();

            one.die();

            assertThat(members(two)).containsExactly(left);
        }

        @Test
        void endWhenTheirLastFullMemberDies() {
            var _ = join(one, GROUP, FULL);
            long sender = join(two, GROUP, SEND_ONLY).handle();

            one.die();

            assertThat(members(two)).isEmpty();
            two.done(new ManagementRequest.Release(sender));
            assertThat(bench.management.size(two.session())).isEqualTo(1);
        }

        @Test
        void takeMlidsRoundRobin() {
            Set<Integer> given = new HashSet<>();
            for (int i = 0; i < 100; i++) {
                ManagementReply.Joined joined = join(one, new Gid(GROUP.prefix(), i + 1), FULL);
                assertThat(given.add(joined.member().mlid())).as("join %d", i).isTrue();
                one.done(new ManagementRequest.Release(joined.handle()));
            }
        }

        @Test
        void leaveOnlyOnesOwn() {
            long handle = join(one, GROUP, FULL).handle();

            assertThat(two.refusal(new ManagementRequest.Release(handle)))
                    .isEqualTo(VerbsStatus.ENOENT);
            assertThat(members(two)).hasSize(1);
        }

        private ManagementReply.Joined join(CmEnd end, Gid group, int joinState) {
            return end.reply(
                    new ManagementRequest.JoinGroup(
                            end.objects().context(), group, joinState, QKEY),
                    ManagementReply.Joined.class);
        }

        private List<MemberRecord> members(CmEnd end) {
            return end.reply(
                            new ManagementRequest.QueryGroup(end.objects().context(), GROUP),
                            ManagementReply.Members.class)
                    .members();
        }
    }

    @Nested
    class Services {
        @Test
        void areFoundByOthersWhileTheLeaseLasts() {
            var _ = register(one, 9, "store", 2);

            bench.passMillis(1999);
            assertThat(found(two, 9)).extracting(ServiceRecord::name).containsExactly("store");
            bench.passMillis(1);

            assertThat(found(two, 9)).isEmpty();
        }

        @Test
        void endedByTheirLeaseStillHaveToBeReleased() {
            long handle = register(one, 9, "store", 1);
            bench.passSeconds(1);

            assertThat(found(one, 9)).isEmpty();
            one.done(new ManagementRequest.Release(handle));
            assertThat(one.refusal(new ManagementRequest.Release(handle)))
                    .isEqualTo(VerbsStatus.ENOENT);
        }

        @Test
        void ofTwoPortsStandBesideEachOther() {
            var _ = register(one, 9, "store", 10);
            var _ = register(two, 9, "store", 10);

            assertThat(found(one, 9))
                    .extracting(ServiceRecord::port)
                    .containsExactly(gid(one), gid(two));
        }

        @Test
        void goWithTheirGuest() {
            var _ = register(one, 9, "store", 10);

            one.die();

            assertThat(found(two, 9)).isEmpty();
            assertThat(bench.management.size(one.session())).isZero();
        }

        @Test
        void areCounted() {
            CmEnd small = CmEnd.open(bench, 3, Map.of("quota.sa", "1"));
            long handle = register(small, 1, "a", 10);
            ManagementRequest second = request(small, 2, "b", 10);

            assertThat(small.refused(second).message()).contains("quota sa: 1 of 1");
            small.done(new ManagementRequest.Release(handle));
            var _ = register(small, 2, "b", 10);
        }

        private long register(CmEnd end, long id, String name, long leaseSeconds) {
            return end.reply(
                            request(end, id, name, leaseSeconds),
                            ManagementReply.ServiceRegistered.class)
                    .handle();
        }

        private ManagementRequest request(CmEnd end, long id, String name, long leaseSeconds) {
            return new ManagementRequest.RegisterService(
                    end.objects().context(), id, name, PrivateData.none(), leaseSeconds);
        }

        private List<ServiceRecord> found(CmEnd end, long id) {
            return end.reply(
                            new ManagementRequest.QueryServices(end.objects().context(), id, ""),
                            ManagementReply.Services.class)
                    .services();
        }
    }

    private static Gid gid(CmEnd end) {
        return end.reply(
                        new ManagementRequest.QueryOwnGid(end.objects().context()),
                        ManagementReply.OwnGid.class)
                .gid();
    }
}
