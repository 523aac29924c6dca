package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import org.junit.jupiter.api.BeforeEach;

/** Two queue pairs of UD in RTS in two domains, and a group. */
abstract class UdFixture extends PairFixture {
    static final int QKEY = 0x11;
    static final Gid GROUP = new Gid(0xff12_401b_ffff_0000L, 0x1234);
    static final int GROUP_LID = 0xc001;

    UdFixture() {
        super(QpType.UD, 1 << 16);
    }

    @BeforeEach
    void activate() {
        a.activate(QKEY);
        b.activate(QKEY);
    }

    final TestQp active(Guest guest) {
        TestQp qp = TestQp.of(QpType.UD, fixture, guest);
        qp.activate(QKEY);
        return qp;
    }

    final int ah(Guest guest, AddressAttributes to) {
        HcaCommands.Handled made = fixture.hca.createAh(guest.pd, to);
        assertThat(made.status()).as(made.message()).isEqualTo(VerbsStatus.SUCCESS);
        return made.number();
    }

    final void attach(TestQp qp) {
        assertThat(fixture.hca.attachMulticast(qp.qpn, GROUP, GROUP_LID).status())
                .isEqualTo(VerbsStatus.SUCCESS);
    }
}
