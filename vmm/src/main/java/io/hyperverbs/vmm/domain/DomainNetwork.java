package io.hyperverbs.vmm.domain;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.Boot;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.TunDevice;
import io.hyperverbs.vmm.sandbox.DomainInterface;
import io.hyperverbs.vmm.sandbox.KeptNamespace;
import io.hyperverbs.vmm.sandbox.Sandbox;
import io.hyperverbs.vmm.sandbox.SandboxTier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The network namespace of a domain with an address, and the interface in it until the domain has that. Any thread. */
final class DomainNetwork implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DomainNetwork.class);

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

    /** Making an interface needs a network namespace, and so do the guests in it. */
    static void check(DomainSpec spec, @Nullable Sandbox sandbox) throws MachineException {
        if (GuestAddress.of(spec.settings()).isEmpty()) {
            return;
        }
        if (sandbox == null || !sandbox.tier().hasNamespaces()) {
            throw new MachineException(
                    VerbsStatus.EPERM,
                    "an address needs a sandbox of namespaces"
                            + (sandbox == null ? "" : "; this one is " + sandbox.description()));
        }
        if (!TunDevice.isHere()) {
            throw new MachineException(
                    VerbsStatus.ENOENT, "an address needs " + TunDevice.FILE + ", which this user cannot open");
        }
    }

    /**
     * That of a domain which starts; null for one without an address.
     *
     * @throws IOException if the computer refuses a namespace or an interface
     */
    static @Nullable DomainNetwork open(DomainRecord domain, SandboxTier tier) throws IOException {
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
        Path folder = domain.folder().path();
        KeptNamespace namespace = KeptNamespace.make(folder, tier);
        boolean opened = false;
        try {
            DomainInterface.Made made = DomainInterface.make(namespace, folder, settings);
            opened = true;
            made.unchanged().forEach(setting -> LOG.info("stays as it is: {}", setting));
            return new DomainNetwork(namespace.file(), namespace.lists(), mtuBytes, made.device(), namespace::close);
        } finally {
            if (!opened) {
                namespace.close();
            }
        }
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
