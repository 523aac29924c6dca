package io.hyperverbs.upper.job.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.upper.job.JobPlace;
import io.hyperverbs.verbs.PrivateData;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IntroductionTest {
    private static final int PROTOCOL = 0x4142_4301;
    private static final long KEY = 0x1234_5678_9abc_def0L;
    private static final byte[] TERMS = {1, 2, 3};

    private static Introduction introduction(int protocol, long key, int from, int to) {
        return new Introduction(protocol, key, from, to, ByteBuffer.wrap(TERMS));
    }

    @Test
    void aPeerReadsWhatWasWrittenAndFilledUp() {
        byte[] filled =
                Arrays.copyOf(introduction(PROTOCOL, KEY, 3, 1).privateData().bytes(), PrivateData.REQ_BYTES);

        Introduction read = Introduction.parse(PrivateData.of(filled)).orElseThrow();

        assertThat(read.from()).isEqualTo(3);
        assertThat(read.terms().remaining()).isEqualTo(JobEnd.MOST_TERMS_BYTES);
        assertThat(read.terms().slice(0, TERMS.length)).isEqualTo(ByteBuffer.wrap(TERMS));
    }

    @Test
    void whatIsTooShortIsNotTaken() {
        assertThat(Introduction.parse(PrivateData.none())).isEmpty();
        assertThat(Introduction.parse(PrivateData.of("anybody there?"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"true, 0, 0, 0, 0", "false, 1, 0, 0, 0", "false, 0, 1, 0, 0", "false, 0, 0, 1, 0", "false, 0, 0, 0, 1"})
    void onlyTheOtherRankOfTheSameJobAndProtocolIsMeant(boolean meant, int protocol, int key, int from, int to) {
        JobPlace place = new JobPlace(KEY, 1, List.of("a", "a", "b", "b"));

        assertThat(introduction(PROTOCOL + protocol, KEY + key, 3 - from, 1 + to)
                        .isFor(place, PROTOCOL, 3))
                .isEqualTo(meant);
    }
}
