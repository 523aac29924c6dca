package io.hyperverbs.vmm.domain;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.Boot;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.NetworkNamespace;
import io.hyperverbs.vmm.posix.TunDevice;
import io.hyperverbs.vmm.sandbox.ExecutableView;
import io.hyperverbs.vmm.sandbox.GuestNetwork;
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

/** What guests that run executables get of the machine besides memory: a network, made for the first of them. Any thread. */
final class ExecutableRoom implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ExecutableRoom.class);

    /** Settings of the namespace of whoever opens them. */
    private static final Path NETWORK_SETTINGS = Path.of("/proc/sys/net");

    private final Path state;
    private @Nullable GuestNetwork network;

    /**
     * @param state the machine's folder
     */
    ExecutableRoom(Path state) {
        this.state = state;
    }

    /** Executables start processes and listen, for which a guest has to have a process space and a network of its own. */
    static void check(DomainSpec spec, @Nullable Sandbox sandbox) throws MachineException {
        if (isFor(spec)
                && sandbox != null
                && sandbox.tier() != SandboxTier.ROOT
                && sandbox.tier() != SandboxTier.USER) {
            throw new MachineException(
                    VerbsStatus.EPERM,
                    "executables need a sandbox of namespaces, this one is " + sandbox.description());
        }
        if (GuestAddress.of(spec.settings()).isPresent()) {
            checkNetwork(sandbox);
        }
    }

    /** Making an interface is root's. */
    private static void checkNetwork(@Nullable Sandbox sandbox) throws MachineException {
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
     * Gives a guest with an address a network namespace and an interface in it.
     *
     * @throws IOException if the computer refuses either
     */
    void openNetwork(DomainRecord domain) throws IOException {
        Optional<GuestAddress> address = GuestAddress.of(domain.spec().settings());
        if (address.isEmpty()) {
            return;
        }
        KeptNamespace own = KeptNamespace.make(domain.folder().path());
        domain.namespace = own;
        domain.networkMtuBytes = Boot.ipMtuBytes(domain.hca().settings());
        TunDevice.Settings settings = new TunDevice.Settings(
                GuestAddress.INTERFACE, address.get().address(), address.get().prefixLength(), domain.networkMtuBytes);
        domain.networkInterface = NetworkNamespace.inside(own.file(), () -> {
            Fd device = TunDevice.make(settings);
            settle();
            return device;
        });
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
                Files.writeString(NETWORK_SETTINGS.resolve(setting), value, StandardOpenOption.WRITE);
            } catch (IOException e) {
                LOG.info("{} stays as it is: {}", setting, e.getMessage());
            }
        });
    }

    /** What they see in a guest that starts; empty for a guest that runs none. */
    synchronized Optional<ExecutableView> view(DomainRecord domain, Sandbox sandbox) throws IOException {
        if (!isFor(domain.spec())) {
            return Optional.empty();
        }
        GuestNetwork known = network;
        if (known == null) {
            known = GuestNetwork.make(state.resolve("network"), sandbox.tier());
            network = known;
        }
        Optional<Path> libraries = Executables.libraries(domain.spec().settings());
        Optional<GuestAddress> address = GuestAddress.of(domain.spec().settings());
        KeptNamespace own = domain.namespace;
        if (own != null && address.isPresent()) {
            known.add(address.get().host(), domain.name());
            return Optional.of(known.view(domain.name(), libraries, own));
        }
        known.add(domain.id(), domain.name());
        return Optional.of(known.view(domain.name(), libraries));
    }

    private static boolean isFor(DomainSpec spec) {
        return spec.kind() == DomainKind.GUEST
                && Executables.of(spec.settings()).count() > 0;
    }

    @Override
    public synchronized void close() {
        if (network != null) {
            network.close();
        }
    }
}
