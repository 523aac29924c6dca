package io.hyperverbs.frontend.ip;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Groups and addresses out of the lists of the kernel. */
class InterfaceListsTest {
    @TempDir
    private Path folder;

    @Test
    void groupsOfTheInterfaceAloneAreRead() throws IOException {
        Files.writeString(folder.resolve("igmp"), """
            Idx\tDevice    : Count Querier\tGroup    Users Timer\tReporter
            1\tlo        :     1      V3
            \t\t\t\t010000E0     1 0:00000000\t\t0
            2\tib0       :     2      V3
            \t\t\t\tFB0000E0     1 0:00000000\t\t0
            \t\t\t\t010000E0     1 0:00000000\t\t0
            3\tib01      :     1      V3
            \t\t\t\t020000E0     1 0:00000000\t\t0
            """);
        Files.writeString(folder.resolve("igmp6"), """
            1    lo              ff020000000000000000000000000001     1 0000000C 0
            2    ib0             ff0200000000000000000001ff000001     1 0000000C 0
            """);

        assertThat(new InterfaceLists(folder, "ib0").groups())
                .containsExactly(address("224.0.0.251"), address("224.0.0.1"), address("ff02::1:ff00:1"));
    }

    @Test
    void aKernelWithoutTheProtocolHasNone() throws IOException {
        assertThat(new InterfaceLists(folder, "ib0").groups()).isEmpty();
        assertThat(new InterfaceLists(folder, "ib0").ipv6Addresses()).isEmpty();
    }

    @Test
    void addressesOfTheInterfaceAloneAreRead() throws IOException {
        Files.writeString(folder.resolve("if_inet6"), """
            00000000000000000000000000000001 01 80 10 80       lo
            fe80000000000000000000000000abcd 02 40 20 80      ib0
            """);

        assertThat(new InterfaceLists(folder, "ib0").ipv6Addresses()).containsExactly(address("fe80::abcd"));
    }

    @Test
    void linesOfAnotherFormArePassedOver() throws IOException {
        Files.writeString(folder.resolve("igmp"), "\n\n2\tib0\n\t\tshort\n");
        Files.writeString(folder.resolve("igmp6"), "\n2 ib0\n2 ib0 ff02\n");
        Files.writeString(folder.resolve("if_inet6"), "\nib0\nfe80 ib0\n");

        assertThat(new InterfaceLists(folder, "ib0").groups()).isEmpty();
        assertThat(new InterfaceLists(folder, "ib0").ipv6Addresses()).isEmpty();
    }

    private static byte[] address(String text) throws IOException {
        return InetAddress.getByName(text).getAddress();
    }
}
