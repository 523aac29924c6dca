package io.hyperverbs.upper.mpi.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.PrivateData;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeerTermsTest {
    private static PeerTerms terms(int ringBytes, int receives) {
        return new PeerTerms(0x1234_5678_9abc_def0L, 3, 1, 0x7fff_0000_1000L, 0x55aa, ringBytes, receives);
    }

    @Test
    void aPeerReadsWhatWasWrittenAndFilledUp() {
        byte[] filled = Arrays.copyOf(terms(4096, 64).privateData().bytes(), PrivateData.REQ_BYTES);

        assertThat(PeerTerms.parse(PrivateData.of(filled))).contains(terms(4096, 64));
        assertThat(PeerTerms.BYTES).isLessThanOrEqualTo(PrivateData.REQ_BYTES);
    }

    @Test
    void whatIsNoSuchThingIsNotTaken() {
        byte[] other = terms(4096, 64).privateData().bytes();
        other[3]++;

        assertThat(PeerTerms.parse(PrivateData.none())).isEmpty();
        assertThat(PeerTerms.parse(PrivateData.of("anybody there?"))).isEmpty();
        assertThat(PeerTerms.parse(PrivateData.of(other))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0, 64", "-2147483648, 64", "1000, 64", "512, 64", "4096, 0", "4096, -1", "4096, 2000000"})
    void sizesThatCannotBeAreNotTaken(int ringBytes, int receives) {
        assertThat(PeerTerms.parse(terms(ringBytes, receives).privateData())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"2, 262144", "5, 262144", "8, 131072", "64, 16384"})
    void ringsOfManyRanksAreSmaller(int ranks, int ringBytes) {
        LinkSizes sizes = LinkSizes.forRanks(ranks);

        assertThat(sizes.ringBytes()).isEqualTo(ringBytes);
        assertThat(sizes.completions()).isEqualTo(sizes.receives() + sizes.sends());
    }
}
