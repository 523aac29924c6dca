package io.hyperverbs.toolstack.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.hyperverbs.backend.journal.JournalRecord;
import io.hyperverbs.backend.journal.JournalRecord.Phase;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlCodec;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import org.junit.jupiter.api.Test;

class JournalWordsTest {
    private static final long HANDLE = 4295098371L;
    private static final ControlRequest CREATE = new ControlRequest.CreateQp(1, 2, 3, 4, 5, QpLimits.of(8, 9));
    private static final ControlReply CREATED = new ControlReply.QpCreated(HANDLE, 0x1149, 3);
    private static final ControlRequest DESTROY = new ControlRequest.Destroy(ObjectKind.QP, HANDLE);

    private JournalWords words = new JournalWords(false);

    private static JournalRecord record(int domain, Phase phase, String said, byte[] message) {
        return new JournalRecord(
                1, domain, "d" + domain, 7, phase, "verb", said, VerbsStatus.SUCCESS, 0, ByteString.copyFrom(message));
    }

    private String intent(int domain, ControlRequest request) {
        return words.of(record(domain, Phase.INTENT, "", ControlCodec.bytesOf(request)));
    }

    private String commit(int domain, ControlReply reply) {
        return words.of(record(domain, Phase.COMMIT, "", ControlCodec.bytesOf(reply)));
    }

    @Test
    void handlesAreShownAsTheNumbersThatCommitsRecorded() {
        assertThat(intent(1, CREATE))
                .isEqualTo("pd=1 type=2 send_cq=3 recv_cq=4 ring=5 max_send_wr=8 max_recv_wr=9 max_send_sge=1"
                        + " max_recv_sge=1 max_inline_data=64 sq_sig_all=false");
        assertThat(commit(1, CREATED)).isEqualTo("qp=0x001149 slot=3");
        QpAttributes toRts = QpAttributes.to(QpState.RTS).with(QpAttribute.SQ_PSN, 5);
        assertThat(intent(1, new ControlRequest.ModifyQp(HANDLE, toRts)))
                .isEqualTo("qp=0x001149 state RTS, sq_psn 0x000005");
        assertThat(intent(1, DESTROY)).isEqualTo("qp=0x001149");
    }

    @Test
    void handlesOfAnotherDomainAreOthers() {
        intent(1, CREATE);
        commit(1, CREATED);

        assertThat(intent(2, DESTROY)).isEqualTo("qp=3");
    }

    @Test
    void handlesOfAnEndedSessionMeanNothing() {
        intent(1, CREATE);
        commit(1, CREATED);
        assertThat(words.of(record(1, Phase.ENDED, "control=2 data=0", new byte[0])))
                .isEqualTo("control=2 data=0");

        assertThat(intent(1, DESTROY)).isEqualTo("qp=3");
    }

    @Test
    void rawWordsHaveHandlesAndNumbers() {
        words = new JournalWords(true);

        intent(1, CREATE);
        assertThat(commit(1, CREATED)).isEqualTo("qp=4295098371 qpn=0x001149 slot=3");
        assertThat(intent(1, DESTROY)).isEqualTo("qp=4295098371");
    }

    @Test
    void refusalsSayWhatWasAskedAndWhyNot() {
        assertThat(words.of(record(1, Phase.DENIED, "no such QP", ControlCodec.bytesOf(DESTROY))))
                .isEqualTo("qp=3: no such QP");
        assertThat(words.of(record(1, Phase.DENIED, "too many", new byte[0]))).isEqualTo("too many");
        assertThat(words.of(record(1, Phase.UNDONE, "no room", new byte[0]))).isEqualTo("no room");
    }

    @Test
    void bytesThatAreNoMessageAreSaid() {
        assertThat(words.of(record(1, Phase.INTENT, "", new byte[] {1, 2, 3}))).startsWith("no message of this format");
    }
}
