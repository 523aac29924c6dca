package io.hyperverbs.backend.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.testing.BenchFixture;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.verbs.sa.MemberRecord;
import io.hyperverbs.verbs.sa.PathRecord;
import io.hyperverbs.verbs.sa.ServiceRecord;
import io.hyperverbs.vmm.io.ManagementReply;
import io.hyperverbs.vmm.io.ManagementRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Subnet administration for two guests. */
class SubnetTest extends BenchFixture {
    private static final Gid GROUP = new Gid(0xff12_0000_0000_0000L, 1);
    private static final int QKEY = 0x11;
    private static final int FULL = 1;
    private static final int SEND_ONLY = 4;
    private static final long INDEFINITE_SECONDS = 0xffff_ffffL;
    private static final int MAX_ANSWERS = 128;

    private CmEnd one;
    private CmEnd two;

    @BeforeEach
    void setUp() {
        one = CmEnd.open(bench, 1);
        two = CmEnd.open(bench, 2);
    }

    @Nested
    class Paths {

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
            return from.reply(new ManagementRequest.QueryPath(from.objects().context(), to), ManagementReply.Path.class)
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

            assertThat(two.refusal(new ManagementRequest.Release(handle))).isEqualTo(VerbsStatus.ENOENT);
            assertThat(members(two)).hasSize(1);
        }

        private ManagementReply.Joined join(CmEnd end, Gid group, int joinState) {
            return end.reply(
                    new ManagementRequest.JoinGroup(end.objects().context(), group, joinState, QKEY),
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
            assertThat(one.refusal(new ManagementRequest.Release(handle))).isEqualTo(VerbsStatus.ENOENT);
        }

        @Test
        void ofTwoPortsStandBesideEachOther() {
            var _ = register(one, 9, "store", 10);
            var _ = register(two, 9, "store", 10);

            assertThat(found(one, 9)).extracting(ServiceRecord::port).containsExactly(gid(one), gid(two));
        }

        @Test
        void goWithTheirGuest() {
            var _ = register(one, 9, "store", 10);

            one.die();

            assertThat(found(two, 9)).isEmpty();
            assertThat(bench.management.size(one.session())).isZero();
        }

        @Test
        void registeredAgainHaveTheNewNameAndCountOnce() {
            CmEnd small = CmEnd.open(bench, 3, Map.of("quota.sa", "1"));
            int before = references(small);
            long old = register(small, 9, "store", 10);
            long renewed = register(small, 9, "bigger store", 20);

            assertThat(small.refusal(new ManagementRequest.Release(old))).isEqualTo(VerbsStatus.ENOENT);
            bench.passSeconds(19);
            assertThat(found(two, 9)).extracting(ServiceRecord::name).containsExactly("bigger store");
            assertThat(named(two, "store")).isEmpty();
            small.done(new ManagementRequest.Release(renewed));
            assertThat(found(two, 9)).isEmpty();
            // Neither of them keeps the context.
            assertThat(references(small)).isEqualTo(before);
        }

        @Test
        void ofTheLongestLeaseStayForEver() {
            var _ = register(one, 9, "store", INDEFINITE_SECONDS);
            var _ = register(one, 10, "almost", INDEFINITE_SECONDS - 1);

            bench.passSeconds(INDEFINITE_SECONDS);

            assertThat(found(two, 9)).hasSize(1);
            assertThat(found(two, 10)).isEmpty();
        }

        @Test
        void areToldOnlySoManyAtATime() {
            CmEnd big = CmEnd.open(bench, 3, Map.of("quota.sa", "200"));
            for (int id = 1; id <= MAX_ANSWERS + 1; id++) {
                var _ = register(big, id, "store", 10);
            }

            List<ServiceRecord> told = named(two, "store");

            // The oldest; the one left out is found by its id.
            assertThat(told).hasSize(MAX_ANSWERS).doesNotHaveDuplicates();
            assertThat(told.getLast().id()).isEqualTo(MAX_ANSWERS);
            assertThat(found(two, MAX_ANSWERS + 1)).hasSize(1);
        }

        @ParameterizedTest
        @CsvSource({"0, 5, 0, 10", "9, 65, 0, 10", "9, 5, 65, 10", "9, 5, 0, -1", "9, 5, 0, 0", "9, 5, 0, 0x100000000"})
        void thatARecordHasNoRoomForAreRefused(long id, int nameBytes, int dataBytes, long leaseSeconds) {
            ManagementRequest request = request(one, id, "x".repeat(nameBytes), dataBytes, leaseSeconds);

            assertThat(one.refusal(request)).isEqualTo(VerbsStatus.EINVAL);
            assertThat(found(two, 9)).isEmpty();
        }

        @Test
        void fillTheirRecord() {
            var _ = one.reply(request(one, -1, "x".repeat(64), 64, 1), ManagementReply.ServiceRegistered.class);

            assertThat(found(two, -1))
                    .singleElement()
                    .matches(record -> record.name().length() == 64)
                    .matches(record -> record.data().length() == 64);
            // A letter of two bytes is one too many.
            ManagementRequest umlaut = request(one, -1, "x".repeat(63) + "\u00fc", 0, 1);
            assertThat(one.refusal(umlaut)).isEqualTo(VerbsStatus.EINVAL);
        }

        private int references(CmEnd end) {
            return end.session().contexts().get(end.objects().context()).references();
        }

        private long register(CmEnd end, long id, String name, long leaseSeconds) {
            return end.reply(request(end, id, name, leaseSeconds), ManagementReply.ServiceRegistered.class)
                    .handle();
        }

        private ManagementRequest request(CmEnd end, long id, String name, long leaseSeconds) {
            return request(end, id, name, 0, leaseSeconds);
        }

        private ManagementRequest request(CmEnd end, long id, String name, int dataBytes, long leaseSeconds) {
            return new ManagementRequest.RegisterService(
                    end.objects().context(), id, name, PrivateData.of(new byte[dataBytes]), leaseSeconds);
        }

        private List<ServiceRecord> found(CmEnd end, long id) {
            return query(end, id, "");
        }

        private List<ServiceRecord> named(CmEnd end, String name) {
            return query(end, 0, name);
        }

        private List<ServiceRecord> query(CmEnd end, long id, String name) {
            return end.reply(
                            new ManagementRequest.QueryServices(end.objects().context(), id, name),
                            ManagementReply.Services.class)
                    .services();
        }
    }

    private static Gid gid(CmEnd end) {
        return end.reply(new ManagementRequest.QueryOwnGid(end.objects().context()), ManagementReply.OwnGid.class)
                .gid();
    }
}
