package io.hyperverbs.upper.ipoib.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hyperverbs.verbs.AddressHandle;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(20)
class LinkGroupsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Gid ALL = group(0);
    private static final Gid FIRST = group(1);
    private static final Gid SECOND_GROUP = group(2);

    private final RecordedSubnet subnet = new RecordedSubnet();
    private final SendingHca hca = new SendingHca();
    private LinkSender sender;
    private LinkGroups groups;

    private static Gid group(int number) {
        return new Gid(0xff12_401b_ffff_0000L, number);
    }

    @BeforeEach
    void make() throws VerbsException {
        sender = new LinkSender(hca.queuePair(), hca, SendingHca.slots(8, 64), RecordedSubnet.QKEY, new LinkCounters());
        groups = new LinkGroups(
                subnet.pd(), subnet.administration(), subnet.queuePair(), sender, RecordedSubnet.QKEY, ALL);
    }

    @Test
    void joinsTheBroadcastGroupFirst() throws VerbsException {
        assertThat(subnet.calls()).containsExactly("join c000 FULL_MEMBER", "create c000", "attach c000");
        assertThat(groups.broadcast().number()).isEqualTo(0xc000);
        assertThat(subnet.calls()).isEmpty();
    }

    @Test
    void isInTheGroupsThatAreWantedAlone() throws VerbsException {
        List<String> _ = subnet.calls();
        groups.update(Set.of(FIRST));
        assertThat(subnet.calls()).containsExactly("join c001 FULL_MEMBER", "create c001", "attach c001");

        groups.update(Set.of(FIRST));
        assertThat(subnet.calls()).isEmpty();

        groups.update(Set.of(SECOND_GROUP));
        assertThat(subnet.calls())
                .containsExactly(
                        "detach c001",
                        "destroy c001",
                        "leave c001",
                        "join c002 FULL_MEMBER",
                        "create c002",
                        "attach c002");
    }

    @Test
    void asksForAForeignGroupAgainAfterAWhile() throws VerbsException {
        List<String> _ = subnet.calls();
        AddressHandle handle = groups.handle(FIRST, 0);
        assertThat(handle).isNotNull();
        assertThat(subnet.calls()).containsExactly("join c001 SEND_ONLY_NON_MEMBER", "create c001");

        assertThat(groups.handle(FIRST, 9 * SECOND)).isSameAs(handle);
        assertThat(subnet.calls()).isEmpty();

        assertThat(groups.handle(FIRST, 10 * SECOND)).isNotNull();
        assertThat(subnet.calls())
                .containsExactly("destroy c001", "leave c001", "join c001 SEND_ONLY_NON_MEMBER", "create c001");
    }

    /** Of a group that nobody is in, and of one that the guest or the subnet has no room for. */
    @ParameterizedTest
    @EnumSource(names = {"EINVAL", "EAGAIN", "ENOMEM"})
    void aGroupThatIsNotThereCostsItsPacketsAloneAndIsAskedForAgain(VerbsStatus status) throws VerbsException {
        subnet.refusals.put(FIRST, status);
        assertThat(groups.handle(FIRST, 0)).isNull();
        List<String> _ = subnet.calls();
        assertThat(groups.handle(FIRST, SECOND - 1)).isNull();
        assertThat(subnet.calls()).isEmpty();

        subnet.refusals.clear();

        assertThat(groups.handle(FIRST, SECOND)).isNotNull();
    }

    @Test
    void otherFailuresEndTheLink() {
        subnet.refusals.put(FIRST, VerbsStatus.EIO);

        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(() -> groups.handle(FIRST, 0))
                .satisfies(e -> assertThat(e.status()).isEqualTo(VerbsStatus.EIO));
    }

    @Test
    void aGroupBeyondTheQuotaIsLeftOutUntilNobodyWantsIt() throws VerbsException {
        List<String> _ = subnet.calls();
        subnet.refusals.put(FIRST, VerbsStatus.EAGAIN);

        groups.update(Set.of(FIRST, SECOND_GROUP));
        assertThat(subnet.calls()).contains("join c001 FULL_MEMBER", "attach c002");
        groups.update(Set.of(FIRST, SECOND_GROUP));
        assertThat(subnet.calls()).isEmpty();

        subnet.refusals.clear();
        groups.update(Set.of(SECOND_GROUP));
        groups.update(Set.of(FIRST, SECOND_GROUP));
        assertThat(subnet.calls()).contains("attach c001");
    }

    @Test
    void noHandleIsDestroyedWhileARequestNamesIt() throws VerbsException {
        groups.update(Set.of(FIRST));
        AddressHandle handle = Objects.requireNonNull(groups.handle(FIRST, 0));
        sender.send(sender.take(), 60, handle, UdQueuePair.MULTICAST_QPN);
        hca.meanwhile = () -> {
            subnet.note("sent");
            hca.work();
        };
        List<String> _ = subnet.calls();

        groups.update(Set.of());

        assertThat(subnet.calls()).containsExactly("sent", "detach c001", "destroy c001", "leave c001");
    }

    @Test
    void knowsAtMostThirtyTwoForeignGroups() throws VerbsException {
        for (int i = 1; i <= 32; i++) {
            assertThat(groups.handle(group(i), 0)).isNotNull();
        }
        List<String> _ = subnet.calls();

        assertThat(groups.handle(group(33), 0)).isNotNull();

        assertThat(subnet.calls()).hasSize(2 * 32 + 2).endsWith("join c021 SEND_ONLY_NON_MEMBER", "create c021");
    }
}
