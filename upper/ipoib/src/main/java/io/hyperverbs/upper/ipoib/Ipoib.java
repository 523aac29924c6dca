package io.hyperverbs.upper.ipoib;

import io.hyperverbs.upper.ipoib.link.IpoibLink;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.ProgramExit;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.ip.IpInterface;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Carries IP packets between the network interface of this domain and those of others over verbs. Runs beside the
 * programs of a domain whose topology gives it an address, until it is interrupted.
 */
public final class Ipoib {
    private static final int FAILED = 1;

    private Ipoib() {}

    /** Takes no arguments. */
    public static void main(String... args) throws IOException, VerbsException {
        Domain domain = Domain.current();
        IpInterface device = IpInterface.of(domain).orElse(null);
        if (device == null) {
            System.err.println("ipoib: " + domain.name()
                    + " has no address; its topology gives it one by ip: { address: 10.1.0.1/24 }");
            throw new ProgramExit(FAILED);
        }
        IpoibLink link = new IpoibLink(domain, device);
        List<Thread> others = new ArrayList<>();
        others.add(start("ipoib-receive", link::receive));
        if (link.isConnected()) {
            others.add(start("ipoib-connect", link::connect));
        }
        try {
            link.send();
        } finally {
            others.forEach(Ipoib::end);
        }
    }

    /** What a thread beside the main one does, until it fails. */
    private interface Work {
        void run() throws IOException, VerbsException;
    }

    private static Thread start(String name, Work work) {
        return Thread.ofPlatform().daemon().name(name).start(() -> run(name, work));
    }

    /** It uses the interface, which goes with this program. */
    private static void end(Thread other) {
        other.interrupt();
        boolean interrupted = false;
        while (other.isAlive()) {
            try {
                other.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void run(String name, Work work) {
        try {
            work.run();
        } catch (IOException | VerbsException e) {
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
            System.err.println("ipoib: thread " + name + " has ended: " + e.getMessage());
        }
    }
}
