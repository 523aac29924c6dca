package io.hyperverbs.toolstack.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.journal.JournalRecord;
import io.hyperverbs.backend.journal.JournalRecord.Phase;
import io.hyperverbs.verbs.VerbsStatus;
import org.junit.jupiter.api.Test;

class JournalWordsTest {
    private final JournalWords words = new JournalWords();

    private static JournalRecord record(int domain, Phase phase, String arguments) {
        return new JournalRecord(1, domain, "d" + domain, 7, phase, "verb", arguments, VerbsStatus.SUCCESS, 0);
    }

    @Test
    void handlesAreShownAsTheNumbersThatCommitsRecorded() {
        String made = words.of(record(1, Phase.COMMIT, "qp=4295098371 qpn=0x1149 slot=3"));

        assertThat(made).isEqualTo("qp=0x001149 slot=3");
        assertThat(words.of(record(1, Phase.INTENT, "qp=4295098371 state RTS, sq_psn 0x000005")))
                .isEqualTo("qp=0x001149 state RTS, sq_psn 0x000005");
        assertThat(words.of(record(1, Phase.INTENT, "handle=4295098371"))).isEqualTo("handle=0x001149");
    }

    @Test
    void handlesOfAnotherDomainAreOthers() {
        words.of(record(1, Phase.COMMIT, "pd=4295098371 number=12"));

        assertThat(words.of(record(2, Phase.INTENT, "pd=4295098371 addr=0x10 len=4096")))
                .isEqualTo("pd=3 addr=0x10 len=4096");
        assertThat(words.of(record(1, Phase.INTENT, "pd=4295098371 addr=0x10 len=4096")))
                .isEqualTo("pd=12 addr=0x10 len=4096");
    }

    @Test
    void numbersThatAreNoHandlesStay() {
        assertThat(words.of(record(1, Phase.COMMIT, "cq=4295032836 number=5 slot=65540 entries=99")))
                .isEqualTo("cq=5 slot=65540 entries=99");
        assertThat(words.of(record(1, Phase.INTENT, "pd=99999999999999999999"))).isEqualTo("pd=99999999999999999999");
        assertThat(words.of(record(1, Phase.DENIED, "no such object"))).isEqualTo("no such object");
    }
}
