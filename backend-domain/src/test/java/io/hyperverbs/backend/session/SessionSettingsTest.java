package io.hyperverbs.backend.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.hca.HcaCommands.ShareInit;
import io.hyperverbs.hca.port.PkeyTable;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SessionSettingsTest {
    private static final PkeyTable OF_HCA = PkeyTable.parse("0xffff,0x8001,0x0001");

    private static SessionSettings of(Map<String, String> settings) throws Refusal {
        return SessionSettings.of(settings, 1 << 20, OF_HCA);
    }

    @Test
    void withoutSettingsADomainHasAllKeysOfItsHca() throws Refusal {
        SessionSettings settings = of(Map.of());

        assertThat(settings.pkeys()).isEqualTo(OF_HCA);
        assertThat(settings.share()).isEqualTo(ShareInit.STANDARD);
        assertThat(settings.paths().isForwarding()).isFalse();
    }

    @Test
    void aDomainHasTheKeysThatItsSettingsSay() throws Refusal {
        assertThat(of(Map.of("pkeys", "0x0001,0xffff")).pkeys()).isEqualTo(PkeyTable.parse("1,65535"));
    }

    @ParameterizedTest
    @CsvSource({
        "0x8002,    'pkeys 0x8002: the HCA has no P_Key 0x8002'",
        "0x7fff,    'pkeys 0x7fff: the HCA has no P_Key 0x7fff'",
        "0x8000,    'P_Key 0x8000 is not valid'",
        "member,    'member'"
    })
    void refusesOthers(String pkeys, String words) {
        assertThatThrownBy(() -> of(Map.of("pkeys", pkeys)))
                .isInstanceOfSatisfying(
                        Refusal.class, e -> assertThat(e.status()).isEqualTo(VerbsStatus.EINVAL))
                .hasMessageContaining(words);
    }
}
