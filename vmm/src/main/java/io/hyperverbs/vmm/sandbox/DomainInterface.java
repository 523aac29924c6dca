package io.hyperverbs.vmm.sandbox;

import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.NetworkNamespace;
import io.hyperverbs.vmm.posix.TunDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Makes the network interface of a domain in the namespace that is kept for it: root's by a thread of this process, an
 * ordinary user's by a program ({@link InterfaceProgram}), as a process of several threads cannot enter a user namespace.
 * Any thread.
 */
public final class DomainInterface {
    /** Settings of the namespace of whoever opens them. */
    private static final Path SETTINGS = Path.of("/proc/sys/net");

    /** Groups whose programs may ping, from and to; the second where the user namespace has one group alone. */
    private static final List<String> ALL_GROUPS = List.of("0 2147483647", "0 0");

    private DomainInterface() {}

    /**
     * An interface.
     *
     * @param device its descriptor
     * @param unchanged what the kernel did not let be set, and why
     */
    public record Made(Fd device, List<String> unchanged) {
        public Made {
            unchanged = List.copyOf(unchanged);
        }
    }

    /**
     * Makes one.
     *
     * @param folder for a file that is gone again afterwards
     * @throws IOException if the computer refuses it
     */
    public static Made make(KeptNamespace namespace, Path folder, TunDevice.Settings settings) throws IOException {
        return namespace.tier() == SandboxTier.ROOT
                ? NetworkNamespace.inside(namespace.file(), () -> make(settings))
                : InterfaceProgram.run(namespace, folder, settings);
    }

    /** In the caller's namespace. */
    static Made make(TunDevice.Settings settings) throws IOException {
        Fd device = TunDevice.make(settings);
        return new Made(device, settle(settings.name()));
    }

    /**
     * Programs without privileges may ping, and nobody on the link is taken for a router. Where the kernel's settings are
     * read-only, or it has no IPv6, it is left at that.
     */
    private static List<String> settle(String name) {
        Map<String, List<String>> wanted = Map.of(
                "ipv4/ping_group_range",
                ALL_GROUPS,
                "ipv6/conf/" + name + "/accept_ra",
                List.of("0"),
                "ipv6/conf/" + name + "/accept_redirects",
                List.of("0"),
                "ipv4/conf/" + name + "/accept_redirects",
                List.of("0"));
        List<String> unchanged = new ArrayList<>();
        wanted.forEach((setting, values) -> {
            String failure = set(SETTINGS.resolve(setting), values);
            if (!failure.isEmpty()) {
                unchanged.add(setting + ": " + failure);
            }
        });
        return unchanged;
    }

    /** The first value that the kernel takes; why it took none, or nothing. */
    private static String set(Path setting, List<String> values) {
        String failure = "";
        for (String value : values) {
            try {
                Files.writeString(setting, value, StandardOpenOption.WRITE);
                return "";
            } catch (IOException e) {
                failure = String.valueOf(e.getMessage());
            }
        }
        return failure;
    }
}
