package io.hyperverbs.backend.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.testing.BenchFixture;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.sa.MemberRecord;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ManagementReply;
import io.hyperverbs.vmm.io.ManagementRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses and LIDs of groups, what joins are refused, and how many groups there may be. */
class MulticastGroupsTest extends BenchFixture {
    private static final long PREFIX = 0xff12_0000_0000_0000L;
    private static final Gid GROUP = new Gid(PREFIX, 1);
    private static final Gid ANY = new Gid(0, 0);
    private static final int QKEY = 0x11;
    private static final int FULL = 1;
    private static final int NON_MEMBER = 2;
    private static final int FIRST_MLID = 0xc001;
    private static final int LAST_MLID = 0xfffe;
    private static final int MAX_GROUPS = 5;

    private CmEnd end;

    @BeforeEach
    void setUp() {
        end = open(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 8, Integer.MAX_VALUE})
    void joinStateIsOneToSeven(int joinState) {
        expectRefused(request(GROUP, joinState, QKEY), "join state " + joinState);
    }

    private CmEnd open(int domain) {
        return CmEnd.open(
                bench,
                domain,
                Map.of(
                        "quota.sa", "2000",
                        "quota.group", Integer.toString(MAX_GROUPS),
                        "quota.control-rate", "1000000000"));
    }

    @Test
    void takenByOneGuestLeaveAnotherItsOwn() {
        CmEnd other = open(2);
        for (int i = 0; i < MAX_GROUPS; i++) {
            var _ = join(new Gid(PREFIX, i + 1));
        }

        for (int i = 0; i < MAX_GROUPS; i++) {
            var _ = join(other, new Gid(PREFIX, 100 + i));
        }

        assertThat(bench.management.used(end.session(), QuotaKind.GROUP)).isEqualTo(MAX_GROUPS);
        assertThat(bench.management.used(other.session(), QuotaKind.GROUP)).isEqualTo(MAX_GROUPS);
    }

    @Test
    void thatTheirCreatorLeftCountToAMemberThatIsThere() {
        CmEnd other = open(2);
        long created = join(GROUP).handle();
        var _ = join(other, GROUP);

        end.done(new ManagementRequest.Release(created));

        assertThat(bench.management.used(end.session(), QuotaKind.GROUP)).isZero();
        assertThat(bench.management.used(other.session(), QuotaKind.GROUP)).isEqualTo(1);
        assertThat(members(GROUP)).hasSize(1);
    }

    @Test
    void thatNoMemberHasRoomForEndWithTheirCreator() {
        CmEnd other = open(2);
        long created = join(GROUP).handle();
        for (int i = 0; i < MAX_GROUPS; i++) {
            var _ = join(other, new Gid(PREFIX, 100 + i));
        }
        ManagementReply.Joined left = join(other, GROUP);

        end.done(new ManagementRequest.Release(created));

        assertThat(members(GROUP)).isEmpty();
        assertThat(bench.management.used(other.session(), QuotaKind.GROUP)).isEqualTo(MAX_GROUPS);
        // The join that is left holds nothing, and the address is free for another Q_Key.
        other.done(new ManagementRequest.Release(left.handle()));
        var _ = end.reply(request(GROUP, FULL, QKEY + 1), ManagementReply.Joined.class);
    }

    @Test
    void withoutAnAddressAreGivenNoneThatSomebodyHas() {
        Gid next = new Gid(join(ANY).member().group().prefix(), 2);
        var _ = end.reply(request(next, FULL, QKEY + 1), ManagementReply.Joined.class);

        assertThat(join(ANY).member().group()).isNotEqualTo(next);
    }

    @Test
    void areOnlySoManyAtATime() {
        long last = 0;
        for (int i = 0; i < MAX_GROUPS; i++) {
            last = join(new Gid(PREFIX, i + 1)).handle();
        }
        ManagementRequest oneMore = request(new Gid(PREFIX, MAX_GROUPS + 1), FULL, QKEY);

        assertThat(end.refused(oneMore).message()).startsWith("quota group: 5 of 5 in use");
        // A group that is there is joined as ever.
        end.done(new ManagementRequest.Release(join(GROUP).handle()));
        end.done(new ManagementRequest.Release(last));
        var _ = end.reply(oneMore, ManagementReply.Joined.class);
    }

    @Test
    void mlidsBeginAnewAndLeaveOutWhatIsTaken() {
        assertThat(join(GROUP).member().mlid()).isEqualTo(FIRST_MLID);
        Gid other = new Gid(PREFIX, 2);
        for (int mlid = FIRST_MLID + 1; mlid <= LAST_MLID; mlid++) {
            ManagementReply.Joined joined = join(other);
            assertThat(joined.member().mlid()).isEqualTo(mlid);
            end.done(new ManagementRequest.Release(joined.handle()));
        }

        assertThat(join(other).member().mlid()).isEqualTo(FIRST_MLID + 1);
    }

    private ManagementReply.Joined join(Gid group) {
        return join(end, group);
    }

    private static ManagementReply.Joined join(CmEnd by, Gid group) {
        return by.reply(
                new ManagementRequest.JoinGroup(by.objects().context(), group, FULL, QKEY),
                ManagementReply.Joined.class);
    }

    private ManagementRequest request(Gid group, int joinState, int qkey) {
        return new ManagementRequest.JoinGroup(end.objects().context(), group, joinState, qkey);
    }

    private void expectRefused(ManagementRequest request, String words) {
        ControlReply.Refused refused = end.refused(request);

        assertThat(refused.status()).isEqualTo(VerbsStatus.EINVAL);
        assertThat(refused.message()).startsWith(words);
        assertThat(members(GROUP)).isEmpty();
    }

    private List<MemberRecord> members(Gid group) {
        return end.reply(
                        new ManagementRequest.QueryGroup(end.objects().context(), group), ManagementReply.Members.class)
                .members();
    }
}
