package io.hyperverbs.vmm.domain;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.sandbox.ExecutableView;
import io.hyperverbs.vmm.sandbox.GuestNetwork;
import io.hyperverbs.vmm.sandbox.Sandbox;
import io.hyperverbs.vmm.sandbox.SandboxTier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What guests that run executables get of the machine besides memory: a network, made for the first of them. Any thread. */
final class ExecutableRoom implements AutoCloseable {
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
        DomainNetwork own = domain.network;
        if (own != null && address.isPresent()) {
            known.add(address.get().host(), domain.name());
            return Optional.of(known.view(domain.name(), libraries, own.namespace()));
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
