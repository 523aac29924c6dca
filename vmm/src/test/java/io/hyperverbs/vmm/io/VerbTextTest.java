package io.hyperverbs.vmm.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.SrqLimits;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.sa.Destination;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class VerbTextTest {
    private static final long QP = (7L << 16) | 3;

    private final ObjectNames names = new ObjectNames();

    @Test
    void aQueuePairHasOneNameInAllVerbs() {
        ControlRequest destroy = new ControlRequest.Destroy(ObjectKind.QP, QP);
        ControlReply created = new ControlReply.QpCreated(QP, 0x351149, 0);
        names.learn(new ControlRequest.CreateQp(1, 2, 3, 4, 5, QpLimits.of(1, 1)), created);

        assertThat(VerbText.result(created, names)).isEqualTo("qp 0x351149");
        assertThat(VerbText.call(new ControlRequest.QueryQp(QP), names)).isEqualTo("query_qp(qp=0x351149)");
        assertThat(VerbText.call(destroy, names)).isEqualTo("destroy_qp(qp=0x351149)");

        names.learn(destroy, new ControlReply.Done());

        assertThat(VerbText.call(destroy, names)).isEqualTo("destroy_qp(qp=3)");
    }

    @Test
    void attributesAreSpelledOut() {
        QpAttributes attributes = QpAttributes.to(QpState.ERR)
                .with(QpAttribute.ACCESS_FLAGS, 15)
                .with(QpAttribute.TIMEOUT, 14)
                .with(QpAttribute.RNR_RETRY, 7)
                .with(QpAttribute.SQ_PSN, 5);

        assertThat(VerbText.call(new ControlRequest.ModifyQp(QP, attributes), names))
                .isEqualTo("modify_qp(qp=3, state ERR, access LW|RW|RR|RA, timeout 14 (67 ms),"
                        + " rnr_retry 7 (for ever), sq_psn 0x000005)");
        assertThat(VerbText.result(new ControlReply.QpQueried(attributes), names))
                .startsWith("state ERR, access LW|RW|RR|RA, timeout 14 (67 ms)");
    }

    @Test
    void timeoutsHaveUnits() {
        assertThat(timeout(0)).endsWith("timeout 0 (for ever)");
        assertThat(timeout(1)).endsWith("timeout 1 (8.2 us)");
        assertThat(timeout(8)).endsWith("timeout 8 (1.0 ms)");
        assertThat(timeout(20)).endsWith("timeout 20 (4.3 s)");
        assertThat(timeout(99)).endsWith("timeout 99 (no such code)");
    }

    private static String timeout(int code) {
        return VerbText.result(
                new ControlReply.QpQueried(QpAttributes.none().with(QpAttribute.TIMEOUT, code)), ObjectNames.RAW);
    }

    @Test
    void theJournalSaysAllAndTheVerbLogWhatAProgramGave() {
        ControlRequest register = new ControlRequest.RegisterMemory(5, 0x7f00, 65536, 3, List.of(new FrameRun(10, 16)));
        ControlReply registered = new ControlReply.MemoryRegistered(9, 0x11, 0x22);

        assertThat(VerbText.arguments(register, ObjectNames.RAW))
                .isEqualTo("pd=5 addr=0x7f00 len=65536 access=LW|RW frames=10+16");
        assertThat(VerbText.call(register, names)).isEqualTo("reg_mr(addr=0x7f00, len=65536, LW|RW)");
        assertThat(VerbText.answer(registered, ObjectNames.RAW)).isEqualTo("mr=9 lkey=0x11 rkey=0x22");
        assertThat(VerbText.result(registered, names)).isEqualTo("mr 9");
    }

    @Test
    void manyRunsAreAHashInWords() {
        List<FrameRun> runs = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            runs.add(new FrameRun(2L * i, 1));
        }
        String first = VerbText.arguments(new ControlRequest.RegisterRing(5, 9L << 12, runs), ObjectNames.RAW);
        runs.set(8, new FrameRun(99, 1));
        String second = VerbText.arguments(new ControlRequest.RegisterRing(5, 9L << 12, runs), ObjectNames.RAW);

        assertThat(first).matches("context=5 len=36864 frames=9 in 9 runs, sha256 [0-9a-f]{32}");
        assertThat(second).isNotEqualTo(first);
    }

    @Test
    void whatHoldsNothingIsLeftOut() {
        assertThat(VerbText.arguments(new ControlRequest.CreateSrq(1, new SrqLimits(8, 2), 3), names))
                .isEqualTo("pd=1 max_wr=8 max_sge=2 ring=3");
        assertThat(VerbText.arguments(new ControlRequest.CreateSrq(1, new SrqLimits(8, 2), 3, 4, 5), names))
                .endsWith("xrcd=4 cq=5");
        assertThat(VerbText.call(new ControlRequest.CreateAh(1, AddressAttributes.of(7)), names))
                .isEqualTo("create_ah(pd=1, lid=7)");
    }

    @Test
    void staticRatesAreSaidWithTheirCode() {
        assertThat(path(2)).isEqualTo("dlid 3, static_rate 2 (2.5 Gb/s)");
        assertThat(path(24)).isEqualTo("dlid 3, static_rate 24 (1200 Gb/s)");
        assertThat(path(200)).isEqualTo("dlid 3, static_rate 200 (the port's)");
        assertThat(path(0)).isEqualTo("dlid 3");
    }

    private static String path(int rate) {
        return AttributeText.of(QpAttributes.none().with(QpAttribute.AV, 3).withStaticRate(rate));
    }

    @Test
    void resultsAreThoseOfC() {
        assertThat(VerbText.result(new ControlReply.Done(), names)).isEqualTo("0");
        assertThat(VerbText.result(VerbsStatus.SUCCESS)).isEqualTo("0");
        assertThat(VerbText.result(new ControlReply.Refused(VerbsStatus.EAGAIN, "quota qp"), names))
                .isEqualTo("-1 EAGAIN (quota qp)");
        assertThat(VerbText.name(new ControlRequest.Management(
                        new ManagementRequest.Answer(1, ManagementRequest.Answer.Kind.REJ, PrivateData.none()))))
                .isEqualTo("cm_rej");
        assertThat(VerbText.call(
                        new ControlRequest.Management(new ManagementRequest.Resolve(1, Destination.guest("b"))), names))
                .isEqualTo("cm_resolve(channel=1, to=b)");
    }

    @Test
    void textsOfAGuestStayOnOneLineAndEnd() {
        ControlRequest service =
                new ControlRequest.Management(new ManagementRequest.QueryServices(1, 2, "a\n" + "b".repeat(1000)));

        assertThat(VerbText.arguments(service, names))
                .doesNotContain("\n")
                .endsWith("b and more")
                .hasSizeLessThan(300);
    }

    @ParameterizedTest
    @MethodSource("io.hyperverbs.vmm.io.ControlCodecTest#requests")
    void everyRequestHasWords(ControlRequest request) {
        assertThat(VerbText.call(request, names)).matches("[a-z_]+\\(.+\\)");
        assertThat(VerbText.arguments(request, ObjectNames.RAW)).doesNotContain("[");
        assertThat(VerbText.names()).contains(VerbText.name(request));
    }

    @Test
    void namesAreThoseOfBothPathsInOrderAndOnce() {
        assertThat(VerbText.names())
                .contains("reg_mr", "destroy_qp", "post_send", "poll_cq")
                .doesNotContain("destroy", "answer")
                .doesNotHaveDuplicates()
                .isSorted();
    }

    @ParameterizedTest
    @MethodSource("io.hyperverbs.vmm.io.ControlCodecTest#replies")
    void everyReplyHasWords(ControlReply reply) {
        assertThat(VerbText.result(reply, names)).isNotEmpty();
        assertThat(VerbText.answer(reply, ObjectNames.RAW)).isNotNull();
    }
}
