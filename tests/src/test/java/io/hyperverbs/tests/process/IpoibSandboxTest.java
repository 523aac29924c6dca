package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import io.hyperverbs.vmm.sandbox.SandboxChoice;
import io.hyperverbs.vmm.sandbox.SandboxProbe;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Guests with addresses in each sandbox that has namespaces; root has those of ordinary users too. */
@SeveralEngines
@RunsWhenChanged({"libibverbs", "upper/ipoib"})
class IpoibSandboxTest {
    /** Address, MTU and flags of the interface, a socket of raw packets, a setting. */
    private static final String CHANGE = """
        import fcntl, socket, struct
        def attempt(what, action):
            try:
                action()
                print('changed', what)
            except OSError as e:
                print('refused', what, e)
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        name = b'ib0'.ljust(16, b'\\0')
        address = struct.pack('16sHH4s16x', name, socket.AF_INET, 0, socket.inet_aton('10.1.0.2'))
        attempt('address', lambda: fcntl.ioctl(s, 0x8916, address))
        attempt('mtu', lambda: fcntl.ioctl(s, 0x8922, struct.pack('16si20x', name, 1000)))
        attempt('flags', lambda: fcntl.ioctl(s, 0x8914, struct.pack('16sh22x', name, 0)))
        attempt('raw', lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP))
        attempt('setting', lambda: open('/proc/sys/net/ipv4/conf/ib0/forwarding', 'w').write('1'))
        """;

    @TempDir
    Path folder;

    @BeforeAll
    static void needsDevicesAndPrograms() {
        ExecutableGuests.assumeAddresses();
        ExecutableGuests.assumePrograms(List.of("ping", "python3", "unshare"), "iputils-ping, python3, util-linux");
    }

    private static Stream<String> sandboxes() {
        return SandboxProbe.working().stream()
                .filter(one -> one.tier().hasNamespaces())
                .map(SandboxChoice::toString);
    }

    @ParameterizedTest
    @MethodSource("sandboxes")
    void guestsReachEachOtherAndChangeNoInterface(String sandbox) throws Exception {
        ExecutableGuests pair = ExecutableGuests.start(folder, "sandboxed", """
            defaults: { guest: { executables: { count: 1, memory: 16MiB } } }
            guests: { a: { ip: { address: 10.1.0.1/24 } }, b: { ip: { address: 10.1.0.2/24 } } }
            """, "--sandbox", sandbox);
        try {
            assertThat(pair.exec("a", List.of("ping", "-c", "3", "-i", "1", "-W", "5", "b"))
                            .expect(0)
                            .out())
                    .contains("3 packets transmitted, 3 received");
            String tried = pair.exec("a", List.of("python3", "-I", "-c", CHANGE))
                    .expect(0)
                    .out();
            assertThat(tried.lines()).hasSize(5).allMatch(line -> line.startsWith("refused "));
            // In a user namespace of its own, if it gets one, it has all rights, but not over this network.
            assertThat(pair.exec("a", List.of("unshare", "--user", "--map-root-user", "python3", "-I", "-c", CHANGE))
                            .out())
                    .doesNotContain("changed");
        } finally {
            pair.close();
        }
    }
}
