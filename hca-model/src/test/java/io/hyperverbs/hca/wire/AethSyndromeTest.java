package io.hyperverbs.hca.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AethSyndromeTest {
    @Test
    void partsEveryByteIntoTypeAndValue() {
        int[] types = {AethSyndrome.ACK, AethSyndrome.RNR_NAK, AethSyndrome.RESERVED, AethSyndrome.NAK};
        for (int syndrome = 0; syndrome < 128; syndrome++) {
            assertThat(AethSyndrome.type(syndrome)).isEqualTo(types[syndrome / 32]);
            assertThat(AethSyndrome.value(syndrome)).isEqualTo(syndrome % 32);
            // The reserved bit means nothing.
            assertThat(AethSyndrome.type(syndrome | 0x80)).isEqualTo(types[syndrome / 32]);
            assertThat(AethSyndrome.value(syndrome | 0x80)).isEqualTo(syndrome % 32);
        }
    }

    @Test
    void whatIsReservedIsNoOtherThanTheSpecificationSays() {
        for (int syndrome = 0; syndrome < 128; syndrome++) {
            boolean isNak = syndrome >= 0x60 && syndrome <= 0x63;
            assertThat(AethSyndrome.isReserved(syndrome)).isEqualTo(syndrome >= 0x40 && !isNak);
            assertThat(AethSyndrome.isReserved(syndrome | 0x80)).isEqualTo(syndrome >= 0x40 && !isNak);
        }
    }

    @Test
    void codesOfCreditsAreThoseOfTheSpecification() {
        assertThat(IntStream.range(0, 32).map(AethSyndrome::credits))
                .containsExactly(
                        0,
                        1,
                        2,
                        3,
                        4,
                        6,
                        8,
                        12,
                        16,
                        24,
                        32,
                        48,
                        64,
                        96,
                        128,
                        192,
                        256,
                        384,
                        512,
                        768,
                        1024,
                        1536,
                        2048,
                        3072,
                        4096,
                        6144,
                        8192,
                        12288,
                        16384,
                        24576,
                        32768,
                        AethSyndrome.UNLIMITED);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "4, 4", "5, 4", "6, 5", "7, 5", "32767, 29", "32768, 30", "1000000, 30"})
    void acknowledgesWithCreditsThatAreThere(int receives, int code) {
        assertThat(AethSyndrome.ack(receives)).isEqualTo(code);
        assertThat(AethSyndrome.credits(code)).isLessThanOrEqualTo(receives);
    }

    @Test
    void encodesAnswers() {
        assertThat(AethSyndrome.ack()).isEqualTo(0x1f);
        assertThat(AethSyndrome.rnrNak(0)).isEqualTo(0x20);
        assertThat(AethSyndrome.rnrNak(31)).isEqualTo(0x3f);
        assertThat(AethSyndrome.nak(AethSyndrome.PSN_SEQUENCE_ERROR)).isEqualTo(0x60);
        assertThat(AethSyndrome.nak(AethSyndrome.INVALID_REQUEST)).isEqualTo(0x61);
        assertThat(AethSyndrome.nak(AethSyndrome.REMOTE_ACCESS_ERROR)).isEqualTo(0x62);
        assertThat(AethSyndrome.nak(AethSyndrome.REMOTE_OPERATIONAL_ERROR)).isEqualTo(0x63);
        assertThat(AethSyndrome.nak(AethSyndrome.INVALID_RD_REQUEST)).isEqualTo(0x64);
    }
}
