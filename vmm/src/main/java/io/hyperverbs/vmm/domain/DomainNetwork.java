package io.hyperverbs.vmm.domain;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.Boot;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.NetworkNamespace;
import io.hyperverbs.vmm.posix.TunDevice;
import io.hyperverbs.vmm.sandbox.KeptNamespace;
import io.hyperverbs.vmm.sandbox.Sandbox;
import io.hyperverbs.vmm.sandbox.SandboxTier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The network namespace of a domain with an address, and the interface in it until the domain has that. Any thread. */
final class DomainNetwork implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DomainNetwork.class);

    /** Settings of the namespace of whoever opens them. */
    private static final Path SETTINGS = Path.of("/proc/sys/net");

    private final Path namespace;
    private final Path lists;
    private final int mtuBytes;
    private final Runnable end;
    private @Nullable Fd device;

    /**
     * @param end gives the namespace up
     */
    DomainNetwork(Path namespace, Path lists, int mtuBytes, Fd device, Runnable end) {
        this.namespace = namespace;
        this.lists = lists;
        this.mtuBytes = mtuBytes;
        this.device = device;
        this.end = end;
    }

    /** Making an interface is root's; guests are taken into its namespace by a sandbox that has namespaces. */
    static void check(DomainSpec spec, @Nullable Sandbox sandbox) throws MachineException {
        if (GuestAddress.of(spec.settings()).isEmpty()) {
            return;
        }
        if (sandbox == null || sandbox.tier() != SandboxTier.ROOT) {
            throw new MachineException(
                    VerbsStatus.EPERM,
                    "an address needs a sandbox of tier 2, which root has"
                            + (sandbox == null ? "" : "; this one is " + sandbox.description()));
        }
        if (!TunDevice.isHere()) {
            throw new MachineException(
                    VerbsStatus.ENOENT, "an address needs " + TunDevice.FILE + ", which is not there");
        }
    }

    /**
     * That of a domain which starts; null for one without an address.
     *
     * @throws IOException if the computer refuses a namespace or an interface
     */
    static @Nullable DomainNetwork open(DomainRecord domain) throws IOException {
        Optional<GuestAddress> address = GuestAddress.of(domain.spec().settings());
        if (address.isEmpty()) {
            return null;
        }
        int mtuBytes = address.get().connected()
                ? GuestAddress.CONNECTED_MTU_BYTES
                : Boot.ipMtuBytes(domain.hca().settings());
        TunDevice.Settings settings = new TunDevice.Settings(
                GuestAddress.INTERFACE,
                address.get().address(),
                address.get().prefixLength(),
                mtuBytes,
                !address.get().connected());
        KeptNamespace namespace = KeptNamespace.make(domain.folder().path());
        boolean opened = false;
        try {
            Fd device = NetworkNamespace.inside(namespace.file(), () -> {
                Fd made = TunDevice.make(settings);
                settle();
                return made;
            });
            opened = true;
            return new DomainNetwork(namespace.file(), namespace.lists(), mtuBytes, device, namespace::close);
        } finally {
            if (!opened) {
                namespace.close();
            }
        }
    }

    /**
     * In the caller's namespace programs without privileges may ping, and nobody on the link is taken for a router. Where
     * the kernel's settings are read-only, or it has no IPv6, it is left at that.
     */
    private static void settle() {
        Map<String, String> wanted = Map.of(
                "ipv4/ping_group_range",
                "0 2147483647",
                "ipv6/conf/" + GuestAddress.INTERFACE + "/accept_ra",
                "0",
                "ipv6/conf/" + GuestAddress.INTERFACE + "/accept_redirects",
                "0",
                "ipv4/conf/" + GuestAddress.INTERFACE + "/accept_redirects",
                "0");
        wanted.forEach((setting, value) -> {
            try {
                Files.writeString(SETTINGS.resolve(setting), value, StandardOpenOption.WRITE);
            } catch (IOException e) {
                LOG.info("{} stays as it is: {}", setting, e.getMessage());
            }
        });
    }

    /** Its file, by which others enter it. */
    Path namespace() {
        return namespace;
    }

    int mtuBytes() {
        return mtuBytes;
    }

    /** Folder in which the kernel lists what it has of the namespace. */
    Path lists() {
        return lists;
    }

    /** The interface, whose owner is the caller from now on; null if somebody has it. */
    synchronized @Nullable Fd take() {
        Fd taken = device;
        device = null;
        return taken;
    }

    /** The interface goes when who took it has closed it too, the namespace when nobody is in it. */
    @Override
    public void close() {
        Fd left = take();
        if (left != null) {
            left.close();
        }
        end.run();
    }
}
