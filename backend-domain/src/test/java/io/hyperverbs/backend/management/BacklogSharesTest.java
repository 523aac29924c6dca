package io.hyperverbs.backend.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.verbs.cm.RejectReason;
import io.hyperverbs.vmm.io.CmNotice;
import io.hyperverbs.vmm.io.ManagementRequest;
import io.hyperverbs.vmm.io.ManagementRequest.Answer.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What callers get of a backlog that is full of calls which nobody answers. */
class BacklogSharesTest extends ListeningEnd {
    private CmEnd second;
    private CmEnd third;
    private int nextQpn = 1000;

    @BeforeEach
    void callFourTimes() {
        second = CmEnd.open(bench, 3);
        third = CmEnd.open(bench, 4);
        for (int i = 0; i < CmEnd.BACKLOG; i++) {
            call(caller);
        }
    }

    /** By a queue pair of its own: a second call of one would be of a stale connection. */
    private void call(CmEnd from) {
        CmOffer offer = new CmOffer(QpType.RC, nextQpn++, 1, 4, 4, 6, 7, 14);
        try {
            bench.management.connect(
                    from.session(),
                    new ManagementRequest.Connect(
                            from.resolve(callee),
                            CmEnd.SERVICE,
                            offer,
                            CmEnd.RESPONSE_MILLIS * 1_000_000,
                            PrivateData.none()));
        } catch (Refusal e) {
            throw new AssertionError(e);
        }
    }

    private static long rejected(CmEnd end) {
        return end.take().stream()
                .filter(notice -> notice.type() == CmEvent.Type.REJECTED)
                .filter(notice -> notice.reject() == RejectReason.NO_RESOURCES)
                .count();
    }

    private List<String> waiting() {
        List<String> names = new ArrayList<>();
        for (CmNotice notice : callee.take()) {
            names.add(notice.guest());
        }
        return names;
    }

    @Test
    void oneCallerAloneMayHaveAll() {
        assertThat(caller.take()).isEmpty();
        assertThat(waiting()).hasSize(CmEnd.BACKLOG);
    }

    @Test
    void whoHasMostMakesRoomForWhoHasFewer() {
        call(second);
        call(second);

        assertThat(second.take()).isEmpty();
        assertThat(rejected(caller)).isEqualTo(2);
        String one = caller.session().name();
        String two = second.session().name();
        assertThat(waiting()).containsExactly(one, one, two, two);
    }

    @Test
    void nobodyGetsMoreThanItsShareThatWay() {
        for (int i = 0; i < 3; i++) {
            call(second);
        }

        assertThat(rejected(second)).isEqualTo(1);
        assertThat(rejected(caller)).isEqualTo(2);
    }

    @Test
    void eachCallerHasAShare() {
        call(second);
        call(second);
        call(third);

        // Nobody has two calls more than the third: the first has two, as the second.
        assertThat(rejected(third)).isZero();
        assertThat(waiting()).contains(third.session().name());
    }

    @Test
    void callsThatTheirCalleeHasReadGiveWayLast() {
        List<CmNotice> read = callee.take();
        callee.done(CmEnd.answer(read.getFirst().connection(), Kind.REJ));
        var _ = caller.take();
        call(caller);

        call(second);

        // Three were read, the fourth was not.
        assertThat(rejected(caller)).isEqualTo(1);
        assertThat(waiting()).containsExactly(second.session().name());
    }

    @Test
    void calleeHearsOfACallThatItHasReadAndThatGaveWay() {
        List<CmNotice> read = callee.take();

        call(second);

        assertThat(rejected(caller)).isEqualTo(1);
        List<CmNotice> news = callee.take();
        assertThat(news)
                .extracting(CmNotice::type)
                .containsExactly(CmEvent.Type.REJECTED, CmEvent.Type.CONNECT_REQUEST);
        assertThat(news.getFirst().connection()).isEqualTo(read.getLast().connection());
        assertThat(callee.refusal(callee.accept(read.getLast().connection()))).isEqualTo(VerbsStatus.EINVAL);
        callee.done(callee.accept(read.getFirst().connection()));
    }
}
