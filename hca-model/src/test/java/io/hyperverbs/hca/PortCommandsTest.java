package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.port.PkeyTable;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.verbs.PortState;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ports go down and up, and P_Keys decide who hears whom. */
class PortCommandsTest {
    private static final long TIMEOUT_NANOS = (4096L << 10) + 20_000;

    private final HcaFixture fixture = new HcaFixture();
    private final Guest guestA = fixture.guest(1);
    private final Guest guestB = fixture.guest(2);
    private final TestQp a = new TestQp(fixture, guestA);
    private final TestQp b = new TestQp(fixture, guestB);
    private final Buffer buffer = guestA.buffer(64);

    private WorkCompletion send() {
        return send(a, buffer);
    }

    private WorkCompletion send(TestQp from, Buffer data) {
        Buffer into = guestB.buffer(64);
        b.receive(9, into, 0, 64);
        from.send(1, TestQp.SIGNALLED, data, 0, 8);
        fixture.run();
        for (int i = 0; i < 4; i++) {
            fixture.pass(TIMEOUT_NANOS);
        }
        return from.cq.poll();
    }

    private void connect(TestQp from, int keyOfFrom, int keyOfB) {
        from.modify(QpAttributes.toInit(HcaFixture.ALL_REMOTE).with(QpAttribute.PKEY_INDEX, keyOfFrom));
        b.modify(QpAttributes.toInit(HcaFixture.ALL_REMOTE).with(QpAttribute.PKEY_INDEX, keyOfB));
        from.rtr(b);
        b.rtr(from);
        from.rts();
        b.rts();
    }

    @Test
    void everyContextHearsOfEachChange() {
        assertThat(fixture.hca.setPort(2, false)).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(fixture.hca.setPort(2, false)).isEqualTo(VerbsStatus.SUCCESS);
        fixture.run();

        assertThat(fixture.events()).containsExactly("PORT_ERR 2", "PORT_ERR 2");
        assertThat(fixture.hca.queryPort(2).state()).isEqualTo(PortState.DOWN);
        assertThat(fixture.hca.queryPort(1).state()).isEqualTo(PortState.ACTIVE);

        assertThat(fixture.hca.setPort(2, true)).isEqualTo(VerbsStatus.SUCCESS);
        fixture.run();

        assertThat(fixture.events()).containsExactly("PORT_ACTIVE 2", "PORT_ACTIVE 2");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 3, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void refusesPortsThatAreNotThere(int port) {
        assertThat(fixture.hca.setPort(port, false)).isEqualTo(VerbsStatus.EINVAL);
        assertThat(fixture.hca.queryPort(port).status()).isEqualTo(VerbsStatus.EINVAL);
    }

    @Test
    void aPortThatIsDownIsSilence() {
        TestQp.connect(a, b);
        fixture.hca.setPort(1, false);

        WorkCompletion completion = send();

        assertThat(completion.status()).isEqualTo(VerbsStatus.RETRY_EXC_ERR);
        assertThat(completion.vendorError()).isEqualTo(VendorError.PORT_DOWN);
        assertThat(b.state()).isEqualTo(QpState.RTS);
        assertThat(b.cq.drain()).isEmpty();
    }

    @Test
    void aPortThatComesBackInTimeIsAsIfNothingHadBeen() {
        TestQp.connect(a, b);
        fixture.hca.setPort(1, false);
        Buffer into = guestB.buffer(64);
        b.receive(9, into, 0, 64);
        a.send(1, TestQp.SIGNALLED, buffer, 0, 8);
        fixture.run();
        fixture.pass(TIMEOUT_NANOS);
        assertThat(a.cq.drain()).isEmpty();

        fixture.hca.setPort(1, true);
        fixture.pass(TIMEOUT_NANOS);

        assertThat(a.cq.drain()).containsExactly("SEND 1 SUCCESS");
        assertThat(b.cq.drain()).containsExactly("RECV 9 SUCCESS");
    }

    /** The standard table: 0xffff, 0x8001, 0x0001. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, true",
        "1, 1, true",
        "1, 2, true",
        "2, 1, true",
        "2, 2, false",
        "0, 1, false",
        "0, 2, false",
        "1, 0, false"
    })
    void partitionsDecideWhoHearsWhom(int keyOfA, int keyOfB, boolean hears) {
        connect(a, keyOfA, keyOfB);

        WorkCompletion completion = send();

        assertThat(completion.status()).isEqualTo(hears ? VerbsStatus.SUCCESS : VerbsStatus.RETRY_EXC_ERR);
        assertThat(fixture.hca.queryPort(1).badPkeys() > 0).isEqualTo(!hears);
        assertThat(fixture.hca.queryPort(2).badPkeys()).isZero();
    }

    /** One domain has entries 1 and 0 of the standard table, in that order; the other all of it. */
    @ParameterizedTest
    @CsvSource({"0, 1, true", "0, 2, true", "1, 0, true", "0, 0, false", "1, 1, false"})
    void aDomainsQueuePairsHaveTheKeysOfItsTable(int keyOfA, int keyOfB, boolean hears) {
        TestQp member = new TestQp(fixture, fixture.new Guest(3, PkeyTable.parse("0x8001,0xffff")));
        connect(member, keyOfA, keyOfB);

        assertThat(send(member, member.guest.buffer(64)).status())
                .isEqualTo(hears ? VerbsStatus.SUCCESS : VerbsStatus.RETRY_EXC_ERR);
        TestQp another = new TestQp(fixture, member.guest);
        HcaCommands.Outcome outside = fixture.hca.modifyQp(
                another.qpn, QpAttributes.toInit(HcaFixture.ALL_REMOTE).with(QpAttribute.PKEY_INDEX, 2));
        assertThat(outside.message()).isEqualTo("PKEY_INDEX 2 is out of range");
    }

    @Test
    void settingsAreCheckedWhenTheyAreMade() {
        assertThatThrownBy(() -> new PortSettings(3, 1, 2048, List.of(0xffff))).hasMessageContaining("3 ports");
        assertThatThrownBy(() -> new PortSettings(1, 1, 2048, List.of())).hasMessageContaining("0 P_Keys");
        assertThatThrownBy(() -> new PortSettings(1, 1, 2048, List.of(0x8000))).hasMessageContaining("0x8000");
        PortSettings settings = new PortSettings(2, 5, 2048, List.of(0xffff));
        assertThat(settings.lid(2)).isEqualTo(6);
        assertThat(settings.gid(1)).isNotEqualTo(settings.gid(2));
        assertThatThrownBy(() -> new PortSettings(2, 1, 2048, List.of(0xffff), List.of(1)))
                .hasMessageContaining("1 addresses of 2 ports");
        assertThatThrownBy(() -> new PortSettings(2, 1, 2048, List.of(0xffff), List.of(1, 1)))
                .hasMessageContaining("not distinct");
    }
}
