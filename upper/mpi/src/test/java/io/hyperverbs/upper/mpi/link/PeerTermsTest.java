package io.hyperverbs.upper.mpi.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.upper.job.link.JobEnd;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeerTermsTest {
    private static PeerTerms terms(int ringBytes, int receives) {
        return new PeerTerms(0x7fff_0000_1000L, 0x55aa, ringBytes, receives);
    }

    @Test
    void aPeerReadsWhatWasWrittenAndFilledUp() {
        byte[] filled = Arrays.copyOf(terms(4096, 64).bytes(), PeerTerms.BYTES + 16);

        assertThat(PeerTerms.parse(ByteBuffer.wrap(filled))).contains(terms(4096, 64));
        assertThat(PeerTerms.BYTES).isLessThanOrEqualTo(JobEnd.MOST_TERMS_BYTES);
    }

    @Test
    void whatIsTooShortIsNotTaken() {
        byte[] cut = Arrays.copyOf(terms(4096, 64).bytes(), PeerTerms.BYTES - 1);

        assertThat(PeerTerms.parse(ByteBuffer.wrap(cut))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0, 64", "-2147483648, 64", "1000, 64", "512, 64", "4096, 0", "4096, -1", "4096, 2000000"})
    void sizesThatCannotBeAreNotTaken(int ringBytes, int receives) {
        assertThat(PeerTerms.parse(ByteBuffer.wrap(terms(ringBytes, receives).bytes())))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"2, 262144", "5, 262144", "8, 131072", "64, 16384"})
    void ringsOfManyRanksAreSmaller(int ranks, int ringBytes) {
        LinkSizes sizes = LinkSizes.forRanks(ranks);

        assertThat(sizes.ringBytes()).isEqualTo(ringBytes);
        assertThat(sizes.completions()).isEqualTo(sizes.receives() + sizes.sends());
    }
}
