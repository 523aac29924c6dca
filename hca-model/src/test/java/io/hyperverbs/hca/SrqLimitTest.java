package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.VerbsStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The limit, the size and the making of shared receive queues. */
class SrqLimitTest extends SharedQueueFixture {
    @Test
    void queuePairOfAnotherDomainCannotAttach() {
        assertThat(create(sender, srq.srqn, SHARING)).isEqualTo(VerbsStatus.EINVAL);
    }

    @Test
    void queuePairWithReceivesOfItsOwnCannotAttach() {
        assertThat(create(receiver, srq.srqn, LIMITS)).isEqualTo(VerbsStatus.EINVAL);
    }

    @Test
    void limitCountsWhatWasPostedSince() {
        srq.receive(100, into, 0, 64);
        assertThat(fixture.hca.armSrq(srq.srqn, 1)).isEqualTo(VerbsStatus.SUCCESS);
        srq.receive(101, into, 0, 64);

        send(a1, 1);
        assertThat(fixture.events()).isEmpty();
        send(a1, 2);
        assertThat(fixture.events()).containsExactly("SRQ_LIMIT_REACHED " + srq.srqn);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 9, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void limitBeyondTheQueueIsRefused(int limit) {
        assertThat(fixture.hca.armSrq(srq.srqn, limit)).isEqualTo(VerbsStatus.EINVAL);
        assertThat(fixture.hca.querySrq(srq.srqn).limit()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 8, 16, 4096})
    void resizeKeepsWhatIsPostedInOrder(int receiveWr) {
        for (int i = 0; i < 6; i++) {
            srq.receive(100 + i, into, 0, 64);
        }
        send(a1, 1);
        send(a1, 2);

        assertThat(srq.resize(receiveWr)).isEqualTo(VerbsStatus.SUCCESS);
        for (int i = 3; i < 7; i++) {
            send(a1, i);
        }
        srq.receive(106, into, 0, 64);
        send(a1, 7);

        assertThat(b1.cq.drain().stream().map(line -> line.split(" ")[1]))
                .containsExactly("100", "101", "102", "103", "104", "105", "106");
        assertThat(srq.head()).isEqualTo(7);
    }

    @Test
    void resizeIntoARingWithAnotherProducerIndexIsRefused() {
        srq.receive(100, into, 0, 64);
        long empty = fixture.allocate(1 << 16);

        assertThat(fixture.hca.resizeSrq(srq.srqn, empty, 16)).isEqualTo(VerbsStatus.EINVAL);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "-1, 1", "65537, 1", "1, 0", "1, 31", "1, -1"})
    void badSizesAreRefused(int receiveWr, int receiveSge) {
        HcaCommands.Numbered made =
                fixture.hca.createSrq(new HcaCommands.SrqInit(receiver.uar, receiver.pd, 0, receiveWr, receiveSge));

        assertThat(made.status()).isEqualTo(VerbsStatus.EINVAL);
    }

    @Test
    void pdOfAnotherDomainIsRefused() {
        HcaCommands.Numbered made =
                fixture.hca.createSrq(new HcaCommands.SrqInit(receiver.uar, sender.pd, fixture.allocate(4096), 4, 1));

        assertThat(made.status()).isEqualTo(VerbsStatus.EINVAL);
    }
}
