package io.hyperverbs.hca.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.port.PkeyTable;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.hca.port.PortTable;
import io.hyperverbs.hca.port.WireAddresses;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.GlobalRoute;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Each attribute's range at its edges; states and masks. */
class ModifyCheckTest {
    private static final int READ_ATOMIC = 16;
    private static final int RIGHTS = Access.mask(
            Set.of(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC, Access.MW_BIND));

    private static final PkeyTable PKEYS = new PkeyTable(List.of(0xffff, 0x8001, 0x0001));

    private final ModifyCheck check = checkOf(PortSettings.standard(1, 2048));

    private static ModifyCheck checkOf(PortSettings settings) {
        int[] counts = ContextMemoryLayout.counts(Map.of());
        MemorySegment memory = Arena.ofAuto().allocate(ContextMemoryLayout.totalBytes(counts), 4096);
        ContextMemoryLayout.format(memory, 0, counts);
        return new ModifyCheck(
                new PortTable(settings, WireAddresses.none(), new ContextMemory(memory, 0)), READ_ATOMIC);
    }

    private boolean isInRange(ModifyCheck of, QpAttribute attribute, long value) {
        String refusal =
                of.refuse(QpType.RC, QpState.RTS, PKEYS, QpAttributes.none().with(attribute, value));
        String outOfRange = attribute + " " + value + " is out of range";
        assertThat(refusal == null || refusal.equals(outOfRange) || !refusal.contains("range"))
                .as("%s", refusal)
                .isTrue();
        return !outOfRange.equals(refusal);
    }

    @ParameterizedTest
    @CsvSource({
        "EN_SQD_ASYNC_NOTIFY, 0, 1",
        "PKEY_INDEX, 0, 2",
        "PORT, 1, 2",
        "QKEY, 0, 0xffffffff",
        "AV, 1, 0xbfff",
        "TIMEOUT, 0, 31",
        "RETRY_CNT, 0, 7",
        "RNR_RETRY, 0, 7",
        "RQ_PSN, 0, 0xffffff",
        "SQ_PSN, 0, 0xffffff",
        "DEST_QPN, 0, 0xffffff",
        "MIN_RNR_TIMER, 0, 31",
        "MAX_QP_RD_ATOMIC, 0, 16",
        "MAX_DEST_RD_ATOMIC, 0, 16",
    })
    void rangesEndWhereTheySay(QpAttribute attribute, String lowest, String highest) {
        long low = Long.decode(lowest);
        long high = Long.decode(highest);

        assertThat(isInRange(check, attribute, low)).isTrue();
        assertThat(isInRange(check, attribute, high)).isTrue();
        assertThat(isInRange(check, attribute, low - 1)).isFalse();
        assertThat(isInRange(check, attribute, high + 1)).isFalse();
        assertThat(isInRange(check, attribute, Long.MIN_VALUE)).isFalse();
        assertThat(isInRange(check, attribute, Long.MAX_VALUE)).isFalse();
        // What a cast to int would make of it.
        assertThat(isInRange(check, attribute, low + (1L << 32))).isFalse();
    }

    @ParameterizedTest
    @EnumSource(
            value = QpAttribute.class,
            names = {"STATE", "CUR_STATE"})
    void statesAreCodesOfStates(QpAttribute attribute) {
        for (long value = -2; value < 20; value++) {
            assertThat(isInRange(check, attribute, value)).as("%d", value).isEqualTo(QpState.isCode(value));
        }
        assertThat(isInRange(check, attribute, 1L << 32)).isFalse();
    }

    @Test
    void rightsAreThoseOfQueuePairs() {
        for (int bit = 0; bit < 64; bit++) {
            assertThat(isInRange(check, QpAttribute.ACCESS_FLAGS, 1L << bit))
                    .as("bit %d", bit)
                    .isEqualTo((RIGHTS & 1L << bit) != 0);
        }
        assertThat(isInRange(check, QpAttribute.ACCESS_FLAGS, RIGHTS)).isTrue();
        assertThat(isInRange(check, QpAttribute.ACCESS_FLAGS, 0)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"256", "512", "1024", "2048", "4096"})
    void pathMtuIsAPowerOfTwoUpToThePortsMtu(int portMtu) {
        ModifyCheck of = checkOf(PortSettings.standard(1, portMtu));
        for (int mtu = 0; mtu <= 1 << 14; mtu++) {
            boolean is = Integer.bitCount(mtu) == 1 && mtu >= 256 && mtu <= portMtu;
            if (isInRange(of, QpAttribute.PATH_MTU, mtu) != is) {
                throw new AssertionError("MTU " + mtu + " of " + portMtu + ": must be " + is);
            }
        }
        assertThat(isInRange(of, QpAttribute.PATH_MTU, 1L << 40)).isFalse();
        assertThat(isInRange(of, QpAttribute.PATH_MTU, Long.MIN_VALUE)).isFalse();
    }

    @Test
    void pathMtuIsNeverMoreThanInfiniBandHas() {
        ModifyCheck of = checkOf(PortSettings.standard(1, 1 << 13));

        assertThat(isInRange(of, QpAttribute.PATH_MTU, 4096)).isTrue();
        assertThat(isInRange(of, QpAttribute.PATH_MTU, 8192)).isFalse();
    }

    @Test
    void anAddressVectorWithAGidNeedsNoLid() {
        QpAttributes routed = QpAttributes.none().withRoute(GlobalRoute.to(Gid.ofIpv4(0x7f00_0102)));

        assertThat(check.refuse(QpType.RC, QpState.RTS, PKEYS, routed)).doesNotContain("range", "GID");
        assertThat(check.refuse(QpType.RC, QpState.RTS, PKEYS, routed.with(QpAttribute.AV, 5)))
                .doesNotContain("range", "GID");
        assertThat(check.refuse(QpType.RC, QpState.RTS, PKEYS, routed.with(QpAttribute.AV, 0xc000)))
                .isEqualTo("AV 49152 is out of range");
        assertThat(check.refuse(QpType.RC, QpState.RTS, PKEYS, routed.with(QpAttribute.TIMEOUT, 32)))
                .isEqualTo("TIMEOUT 32 is out of range");
    }

    @Test
    void aStaticRateHasTheBitsOfItsField() {
        QpAttributes path = QpAttributes.none().with(QpAttribute.AV, 5);

        assertThat(check.refuse(QpType.RC, QpState.RTS, PKEYS, path.withStaticRate(255)))
                .doesNotContain("static rate");
        assertThat(check.refuse(QpType.RC, QpState.RTS, PKEYS, path.withStaticRate(256)))
                .isEqualTo("static rate 256, must be 0 to 255");
        assertThat(check.refuse(QpType.RC, QpState.RTS, PKEYS, path.withStaticRate(-1)))
                .isEqualTo("static rate -1, must be 0 to 255");
    }

    @Test
    void aRouteLeadsToOnePortAndFitsItsHeader() {
        Gid none = new Gid(0, 0);
        Gid group = new Gid(0xff12_0000_0000_0000L, 5);

        assertThat(check.refuse(
                        QpType.RC, QpState.RTS, PKEYS, QpAttributes.none().withRoute(GlobalRoute.to(none))))
                .isEqualTo("GID " + none + " is no port's");
        assertThat(check.refuse(
                        QpType.RC, QpState.RTS, PKEYS, QpAttributes.none().withRoute(GlobalRoute.to(group))))
                .isEqualTo("GID " + group + " is no port's");
        GlobalRoute labelled = new GlobalRoute(Gid.ofIpv4(0x7f00_0102), 1 << 20, 0, 1, 0);
        assertThat(check.refuse(
                        QpType.RC, QpState.RTS, PKEYS, QpAttributes.none().withRoute(labelled)))
                .startsWith("flow label 1048576");
    }

    @Test
    void currentStateMustBeTheOneGiven() {
        QpAttributes believed = QpAttributes.none().with(QpAttribute.CUR_STATE, QpState.RTS.code());

        assertThat(check.refuse(QpType.RC, QpState.RTS, PKEYS, believed)).isNull();
        assertThat(check.refuse(QpType.RC, QpState.SQD, PKEYS, believed))
                .isEqualTo("queue pair is in SQD, not in the CUR_STATE given");
    }

    @Test
    void movesThatAreNotInTheTableAreRefused() {
        QpAttributes toRts = QpAttributes.to(QpState.RTS);

        assertThat(check.refuse(QpType.RC, QpState.RESET, PKEYS, toRts)).isEqualTo("no move from RESET to RTS");
        assertThat(check.refuse(QpType.RC, QpState.RTR, PKEYS, toRts)).startsWith("RTR to RTS needs");
        assertThat(check.refuse(QpType.UD, QpState.SQE, PKEYS, toRts)).isNull();
        assertThat(check.refuse(QpType.RC, QpState.SQE, PKEYS, toRts)).isEqualTo("no move from SQE to RTS");
    }

    @Test
    void targetIsTheStateAskedForOrTheCurrentOne() {
        assertThat(ModifyCheck.target(QpState.RTR, QpAttributes.to(QpState.RTS)))
                .isEqualTo(QpState.RTS);
        assertThat(ModifyCheck.target(QpState.RTR, QpAttributes.none())).isEqualTo(QpState.RTR);
    }
}
