package io.hyperverbs.upper.ipoib.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.verbs.PrivateData;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionTermsTest {
    private static final ConnectionTerms TERMS = new ConnectionTerms(0x123456, 65_524);

    @Test
    void areEightBytes() {
        assertThat(TERMS.privateData().bytes()).asHexString().isEqualToIgnoringCase("001234560000FFF4");
        assertThat(ConnectionTerms.parse(TERMS.privateData())).isEqualTo(TERMS);
        assertThat(ConnectionTerms.serviceId(0x123456)).isEqualTo(0x1000_0000_0012_3456L);
    }

    /** Messages on a wire have all their private data; its first byte is reserved. */
    @Test
    void mayHaveZerosBehindThem() {
        byte[] padded = HexFormat.of().parseHex("ff1234560000fff4" + "00".repeat(84));

        assertThat(ConnectionTerms.parse(PrivateData.of(padded))).isEqualTo(TERMS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "001234560000ff", "0012345600000004", "0012345680000000"})
    void withoutRoomForAPacketAreNone(String hex) {
        assertThat(ConnectionTerms.parse(PrivateData.of(HexFormat.of().parseHex(hex))))
                .isNull();
    }
}
