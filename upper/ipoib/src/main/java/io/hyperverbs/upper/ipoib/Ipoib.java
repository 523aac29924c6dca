package io.hyperverbs.upper.ipoib;

import io.hyperverbs.upper.ipoib.link.IpoibLink;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.ProgramExit;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.ip.IpInterface;
import java.io.IOException;

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
        Thread receiver = Thread.ofPlatform().daemon().name("ipoib-receive").start(() -> receive(link));
        try {
            link.send();
        } finally {
            end(receiver);
        }
    }

    /** It uses the interface, which goes with this program. */
    private static void end(Thread receiver) {
        receiver.interrupt();
        boolean interrupted = false;
        while (receiver.isAlive()) {
            try {
                receiver.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void receive(IpoibLink link) {
        try {
            link.receive();
        } catch (IOException | VerbsException e) {
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
            System.err.println("ipoib: no packets come any more: " + e.getMessage());
        }
    }
}
