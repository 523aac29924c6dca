package io.hyperverbs.frontend.ip;

import io.hyperverbs.frontend.program.LoadedProgram;
import io.hyperverbs.verbs.ip.IpInterface;
import io.hyperverbs.vmm.domain.GuestAddress;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.hypercall.Hypercalls;
import io.hyperverbs.vmm.posix.PosixException;
import java.util.List;
import java.util.function.Consumer;

/** Starts the program that carries packets of a domain's interface: beside all others, as a driver of the kernel. */
public final class PacketCarrier {
    private PacketCarrier() {}

    /**
     * Starts it, if the domain has an address; in a thread of the caller's group that ends with the process, or when it is
     * interrupted.
     *
     * @param attach gives the domain its interface; before any program runs
     * @param loader of the program's classes
     */
    public static void start(Hypercalls machine, Consumer<IpInterface> attach, ClassLoader loader)
            throws PosixException, HypercallException {
        String mainClass = machine.boot().settings().get(GuestAddress.DRIVER_SETTING);
        GuestInterface device = GuestInterface.of(machine).orElse(null);
        if (device == null || mainClass == null) {
            return;
        }
        attach.accept(device);
        Thread.ofPlatform().daemon().name("ip-carrier").start(() -> run(mainClass, loader, device));
    }

    private static void run(String mainClass, ClassLoader loader, GuestInterface device) {
        try (device) {
            int exitCode = new LoadedProgram(loader, mainClass, List.of()).run();
            if (!Thread.currentThread().isInterrupted()) {
                System.err.println("what carries IP packets has ended with " + exitCode + ": none come any more");
            }
        }
    }
}
