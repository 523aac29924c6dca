package io.hyperverbs.backend.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuotaTest {
    private static final HcaLimits HCA = new HcaLimits(100, 100, 100, 100, 100, 64, 1024, 1024, 1, 2048);

    @Test
    void isFullAtItsMaximumAndNotBefore() throws Refusal {
        Quota quota = Quota.of(Map.of("quota.qp", "3"), 4096);
        quota.take(QuotaKind.QP, 2);

        quota.check(QuotaKind.QP, 1);
        Refusal refusal = catchThrowableOfType(Refusal.class, () -> quota.check(QuotaKind.QP, 2));

        assertThat(refusal.status()).isEqualTo(VerbsStatus.EAGAIN);
        assertThat(refusal.words()).isEqualTo("quota qp: 2 of 3 in use, 2 more asked for");
    }

    @Test
    void doesNotOverflow() throws Refusal {
        Quota quota = Quota.of(Map.of("quota.registered", "" + Long.MAX_VALUE), 4096);
        quota.take(QuotaKind.REGISTERED, 10);

        assertThatThrownBy(() -> quota.check(QuotaKind.REGISTERED, Long.MAX_VALUE))
                .isInstanceOf(Refusal.class);
    }

    @Test
    void cannotBeGivenBackTwice() throws Refusal {
        Quota quota = Quota.of(Map.of(), 4096);
        quota.take(QuotaKind.MR, 1);
        quota.giveBack(QuotaKind.MR, 1);

        assertThatThrownBy(() -> quota.giveBack(QuotaKind.MR, 1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void cannotBeTakenWithoutRoom() throws Refusal {
        Quota quota = Quota.of(Map.of("quota.mr", "2"), 4096);
        quota.take(QuotaKind.MR, 2);

        assertThatThrownBy(() -> quota.take(QuotaKind.MR, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("quota mr taken without a check");
        assertThat(quota.used(QuotaKind.MR)).isEqualTo(2);
    }

    @Test
    void hasARingForEachQueueUnlessToldSo() throws Refusal {
        Map<String, String> few = Map.of("quota.qp", "3", "quota.cq", "5", "quota.srq", "7");

        assertThat(Quota.of(few, 4096).max(QuotaKind.RING)).isEqualTo(3 + 5 + 7 + 1);
        assertThat(Quota.of(Map.of("quota.qp", "100000"), 4096).max(QuotaKind.RING))
                .isEqualTo(HandleTable.MAX_CAPACITY);
        assertThat(Quota.of(Map.of("quota.ring", "2"), 4096).max(QuotaKind.RING))
                .isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "x", "", "1k", "99999999999999999999"})
    void refusesValuesThatAreNoNumbers(String value) {
        Refusal refusal = catchThrowableOfType(Refusal.class, () -> Quota.of(Map.of("quota.qp", value), 4096));

        assertThat(refusal.status()).isEqualTo(VerbsStatus.EINVAL);
        assertThat(refusal.words()).startsWith("quota.qp " + value);
    }

    @Test
    void refusesUnknownQuotasAndIgnoresOtherSettings() throws Refusal {
        Quota.of(Map.of("trace", "true"), 4096);

        assertThatThrownBy(() -> Quota.of(Map.of("quota.qpp", "1"), 4096))
                .isInstanceOf(Refusal.class)
                .hasMessage("quota.qpp is not a quota");
    }

    @Test
    void promisesNoMoreThanTheHcaHas() throws Refusal {
        QuotaPromises promises = new QuotaPromises(HCA);
        Map<String, String> rest =
                Map.of("quota.cq", "1", "quota.mr", "1", "quota.mw", "1", "quota.pd", "1", "quota.uar", "1");
        Quota sixty = quota(rest, 60);
        Quota forty = quota(rest, 40);
        Quota fortyOne = quota(rest, 41);
        promises.promise("a", sixty);

        Refusal refusal = catchThrowableOfType(Refusal.class, () -> promises.promise("b", fortyOne));
        promises.promise("b", forty);
        promises.withdraw(sixty);
        promises.promise("c", sixty);

        assertThat(refusal.status()).isEqualTo(VerbsStatus.ENOMEM);
        assertThat(refusal.words())
                .isEqualTo("quota qp of b: 41 asked for, the HCA has 100 - 60 promised to others =" + " 40");
    }

    @Test
    void hasNoMoreSharedReceiveQueuesThanQueuePairsUnlessToldSo() throws Refusal {
        assertThat(Quota.of(Map.of(), 4096).max(QuotaKind.SRQ)).isEqualTo(64);
        assertThat(Quota.of(Map.of("quota.qp", "3"), 4096).max(QuotaKind.SRQ)).isEqualTo(3);
        assertThat(Quota.of(Map.of("quota.qp", "3", "quota.srq", "9"), 4096).max(QuotaKind.SRQ))
                .isEqualTo(9);
    }

    @Test
    void hasAPumpForEachContextUnlessToldSo() throws Refusal {
        assertThat(Quota.of(Map.of(), 4096).max(QuotaKind.PUMP)).isEqualTo(16);
        assertThat(Quota.of(Map.of("quota.uar", "3"), 4096).max(QuotaKind.PUMP)).isEqualTo(3);
        assertThat(Quota.of(Map.of("quota.pump", "0"), 4096).max(QuotaKind.PUMP))
                .isZero();
    }

    @Test
    void standsAtItsOwnNumbersWithoutSettings() throws Refusal {
        Quota quota = Quota.of(Map.of(), 4096);
        long objects = 0;
        for (QuotaKind kind : QuotaKind.values()) {
            if (kind.standard() != 0) {
                assertThat(quota.max(kind)).as("%s", kind).isEqualTo(kind.standard());
            }
            assertThat(quota.used(kind)).isZero();
            objects += kind.countsObjects() ? quota.max(kind) : 0;
        }

        assertThat(quota.max(QuotaKind.REGISTERED)).isEqualTo(4 * 4096);
        assertThat(quota.maxObjects())
                .isEqualTo(objects)
                .isEqualTo(128 + 128 + 512 + 64 + 256 + 64 + 16 + 321 + 256 + 64 + 512 + 64);
    }

    @Test
    void mayBeNothing() throws Refusal {
        Quota quota = Quota.of(Map.of("quota.qp", "0"), 4096);

        quota.check(QuotaKind.QP, 0);
        assertThatThrownBy(() -> quota.check(QuotaKind.QP, 1)).isInstanceOf(Refusal.class);
    }

    @Test
    void judgesWhatTheCallerCounted() throws Refusal {
        Quota quota = Quota.of(Map.of("quota.qp", "3"), 4096);

        quota.check(QuotaKind.QP, 2, 1);
        Refusal refusal = catchThrowableOfType(Refusal.class, () -> quota.check(QuotaKind.QP, 3, 1));

        assertThat(refusal.words()).isEqualTo("quota qp: 3 of 3 in use, 1 more asked for");
    }

    @Test
    void paysForThePagesOfContextsAndForForwardedQueuesIfThereMayBeAny() throws Refusal {
        long ramBytes = 64 << 20;

        assertThat(Quota.of(Map.of(), ramBytes).max(QuotaKind.BACKING)).isEqualTo(16 * 4096);
        assertThat(Quota.of(Map.of("path", "bypass,forwarded"), ramBytes).max(QuotaKind.BACKING))
                .isEqualTo(16 * 4096 + ramBytes);
        assertThat(Quota.of(Map.of("quota.backing", "7"), ramBytes).max(QuotaKind.BACKING))
                .isEqualTo(7);
    }

    @Test
    void promisesNoMemoryThatTheComputerDoesNotHave() throws Refusal {
        QuotaPromises promises = new QuotaPromises(HcaLimits.standard(), () -> 100L << 20);
        Quota sixty = Quota.of(Map.of("quota.backing", "" + (60 << 20)), 4096);
        promises.promise("a", sixty);

        Refusal refusal = catchThrowableOfType(Refusal.class, () -> promises.promise("b", sixty));
        promises.withdraw(sixty);
        promises.promise("b", sixty);

        assertThat(refusal.status()).isEqualTo(VerbsStatus.ENOMEM);
        assertThat(refusal.words())
                .isEqualTo(
                        "quota backing of b: 60 MiB asked for, the computer has 100 - 60 promised" + " to others = 40");
    }

    @Test
    void saysBytesInMebibytesWhereThereAreAny() throws Refusal {
        Quota quota = Quota.of(Map.of("quota.backing", "" + (64 << 20)), 4096);
        quota.take(QuotaKind.BACKING, 12 << 20);

        assertThat(refused(quota, 60 << 20)).isEqualTo("quota backing: 12 of 64 MiB in use, 60 more asked for");
        assertThat(refused(quota, (60 << 20) + 524_288))
                .isEqualTo("quota backing: 12 of 64 MiB in use, 60.5 more asked for");
        assertThat(refused(Quota.of(Map.of("quota.backing", "4096"), 4096), 8192))
                .isEqualTo("quota backing: 0 of 4096 bytes in use, 8192 more asked for");
    }

    private static String refused(Quota quota, long amount) {
        return catchThrowableOfType(Refusal.class, () -> quota.check(QuotaKind.BACKING, amount))
                .words();
    }

    private static Quota quota(Map<String, String> rest, int qp) throws Refusal {
        Map<String, String> settings = new java.util.HashMap<>(rest);
        settings.put("quota.qp", "" + qp);
        return Quota.of(settings, 4096);
    }
}
