package io.hyperverbs.hca.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PkeyTableTest {
    private static final PkeyTable TABLE = PkeyTable.parse("0xffff,0x8001,0x0002");

    @Test
    void hasItsEntriesByIndex() {
        assertThat(TABLE.count()).isEqualTo(3);
        assertThat(TABLE.pkey(0)).isEqualTo(0xffff);
        assertThat(TABLE.pkey(2)).isEqualTo(2);
        assertThat(TABLE.pkey(3)).isZero();
        assertThat(TABLE.pkey(-1)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "0xffff,", "0", "0x8000", "0x10000", "-1"})
    void takesKeysOfPartitionsAlone(String text) {
        assertThatThrownBy(() -> PkeyTable.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void hasOneEntryToAHundredAndTwentyEight() {
        assertThat(new PkeyTable(Collections.nCopies(128, 1)).count()).isEqualTo(128);
        assertThatThrownBy(() -> new PkeyTable(Collections.nCopies(129, 1))).hasMessageContaining("129 P_Keys");
        assertThatThrownBy(() -> new PkeyTable(List.of())).hasMessageContaining("0 P_Keys");
    }

    @ParameterizedTest
    @CsvSource({"0xffff, 0xffff", "0x7fff, 0xffff", "0x0001, 0x8001", "0x8002, 0x0002", "0x0002, 0", "0x8003, 0"})
    void reachesAKeyByTheFirstThatMatches(String pkey, String own) {
        assertThat(TABLE.reaching(Integer.decode(pkey))).isEqualTo(Integer.decode(own));
    }

    @ParameterizedTest
    @CsvSource({"'0x8001,0xffff', 0xffff", "'0x8003,0x0001', 0x8001", "'0x8003,0x0002', 0"})
    void reachesAnotherTableByTheFirstThatMatchesAny(String other, String own) {
        assertThat(TABLE.reaching(PkeyTable.parse(other))).isEqualTo(Integer.decode(own));
    }
}
