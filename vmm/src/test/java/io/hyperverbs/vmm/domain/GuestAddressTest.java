package io.hyperverbs.vmm.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GuestAddressTest {
    @Test
    void readsAddressAndPrefix() {
        assertThat(GuestAddress.parse("10.1.2.3/24")).isEqualTo(new GuestAddress(0x0a01_0203, 24));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.0.0.1/8",
                "10.1.0.1/24",
                "10.1.0.254/24",
                "126.255.255.254/8",
                "128.0.0.1/30",
                "192.168.255.2/30",
                "223.255.255.254/16"
            })
    void writesWhatItHasRead(String text) {
        assertThat(GuestAddress.parse(text)).hasToString(text);
    }

    @Test
    void aGuestHasDatagramsUnlessItsSettingsSayConnections() {
        Map<String, String> settings = new HashMap<>(Map.of(GuestAddress.SETTING, "10.1.2.3/24"));
        assertThat(GuestAddress.of(settings).orElseThrow().connected()).isFalse();

        settings.put(GuestAddress.MODE_SETTING, GuestAddress.CONNECTED);
        settings.put(GuestAddress.PKEY_SETTING, "0x8001");
        GuestAddress connected = GuestAddress.of(settings).orElseThrow();

        assertThat(connected).isEqualTo(new GuestAddress(0x0a01_0203, 24, 0x8001, true));
        assertThat(connected.mode()).isEqualTo("connected");
        assertThat(connected.inMode("datagram").mode()).isEqualTo("datagram");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> connected.inMode("fast"))
                .withMessage("mode fast, must be datagram or connected");
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.0.1/8,     10.1.0.1,      ff000000",
        "10.1.0.1/24,    10.1.0.1,      ffffff00",
        "192.168.7.9/30, 192.168.7.9,   fffffffc",
        "223.1.2.3/17,   223.1.2.3,     ffff8000"
    })
    void tellsHostAndMask(String text, String host, String mask) {
        GuestAddress address = GuestAddress.parse(text);

        assertThat(address.host()).isEqualTo(host);
        assertThat(Integer.toHexString(address.mask())).isEqualTo(mask);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10.1.0.1",
                "10.1.0/24",
                "10.1.0.1/",
                "10.1.0.1/024",
                "10.1.0.1.5/24",
                "10.1.0.1/24 ",
                "10.1.0.-1/24",
                "10.1.0.0001/24",
                "fe80::1/64",
                "host/24"
            })
    void refusesOtherForms(String text) {
        assertRefused(text, "address " + text + ", must be like 10.1.0.1/24");
    }

    @ParameterizedTest
    @CsvSource({"256.1.0.1/24, 256", "10.999.0.1/24, 999", "10.1.300.1/24, 300", "10.1.0.256/24, 256"})
    void refusesNumbersThatAreNoBytes(String text, String number) {
        assertRefused(text, "address " + text + ": " + number + " is above 255");
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.1.0.1/0", "10.1.0.1/7", "10.1.0.1/31", "10.1.0.1/32", "10.1.0.1/99"})
    void refusesNetworksTooLargeOrTooSmall(String text) {
        assertRefused(text, "network of " + text + ", its prefix must be 8 to 30 long");
    }

    /** This network, loopback, multicast groups, reserved ones and the broadcast address of all networks. */
    @ParameterizedTest
    @ValueSource(
            strings = {"0.1.2.3/24", "127.0.0.1/8", "224.0.0.1/24", "239.1.2.3/24", "240.1.2.3/24", "255.255.255.255/24"
            })
    void refusesAddressesThatNoHostHas(String text) {
        assertRefused(text, "address " + text + " is no host's");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"10.0.0.0/8", "10.255.255.255/8", "10.1.0.0/24", "10.1.0.255/24", "10.1.0.4/30", "10.1.0.7/30"})
    void refusesTheAddressOfTheNetworkAndItsBroadcastAddress(String text) {
        assertRefused(text, "address " + text + " is that of its network, or its broadcast address");
    }

    @Test
    void isThatOfTheSettings() {
        assertThat(GuestAddress.of(Map.of("ip.address", "10.1.0.1/24"))).contains(GuestAddress.parse("10.1.0.1/24"));
        assertThat(GuestAddress.of(Map.of("path", "bypass"))).isEmpty();
    }

    private static void assertRefused(String text, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GuestAddress.parse(text))
                .withMessage(why);
    }
}
