package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * Is killed. Arguments: the survivor's name, and in the middle of what it wants to be killed: it
 * registers and deregisters, connects again and again, or writes into its peer's region, which it
 * does besides the other two as well. It is in the middle of it when it has written {@code ready}.
 */
public final class KilledProgram {
    /** What a victim is killed in the middle of. */
    public enum Point {
        REGISTRATION,
        CONNECT,
        RDMA
    }

    static final int CHUNK_BYTES = 64 * 1024;
    private static final int CHURNED = 10;

    private final Domain domain = Domain.current();
    private final Context context;
    private final ProtectionDomain pd;
    private final MemorySegment buffer;
    private final MemoryRegion region;
    private final CountDownLatch churned = new CountDownLatch(CHURNED);

    private KilledProgram() throws VerbsException {
        context = domain.devices().getFirst().open();
        pd = context.allocatePd();
        buffer = domain.memory().allocate(CHUNK_BYTES, 4096);
        region = pd.register(buffer, Peer.ALL);
    }

    public static void main(String[] args) throws Exception {
        KilledProgram victim = new KilledProgram();
        Point point = Point.valueOf(args[1]);
        Thread churn = Thread.ofPlatform().daemon().name("churn").start(victim::registerWithoutEnd);
        if (point == Point.REGISTRATION) {
            victim.churned.await();
            victim.domain.store().write("ready", "yes");
            churn.join();
            return;
        }
        try (Peer peer = new Peer(victim.context, victim.pd)) {
            victim.domain.store().write("ep", peer.endpoint(victim.region).format());
            Endpoint remote = Endpoint.parse(
                    victim.domain.store().await(args[0], "ep-" + victim.domain.name(), Duration.ofSeconds(60)));
            peer.connect(remote);
            victim.domain.store().write("connected", "yes");
            victim.buffer.fill((byte) 0x5a);
            if (point == Point.CONNECT) {
                victim.connectWithoutEnd(peer, remote);
            }
            victim.writeWithoutEnd(peer, remote);
        }
    }

    private void registerWithoutEnd() {
        try {
            MemorySegment memory = domain.memory().allocate(CHUNK_BYTES, 4096);
            while (true) {
                try (MemoryRegion one = pd.register(memory, Peer.ALL);
                        MemoryRegion other = pd.register(memory, Peer.ALL)) {
                    if (one.rkey() == other.rkey()) {
                        throw new IllegalStateException("two regions with one key");
                    }
                    churned.countDown();
                }
            }
        } catch (VerbsException e) {
            throw new IllegalStateException(e);
        }
    }

    private void connectWithoutEnd(Peer peer, Endpoint remote) throws VerbsException {
        domain.store().write("ready", "yes");
        while (true) {
            peer.disconnect();
            peer.connect(remote);
        }
    }

    private void writeWithoutEnd(Peer peer, Endpoint remote) {
        while (true) {
            peer.qp
                    .sends()
                    .start()
                    .rdmaWrite(1, SendFlags.SIGNALLED, remote.address(), remote.rkey())
                    .sge(region.lkey(), region.address(), CHUNK_BYTES)
                    .post();
            peer.await();
        }
    }
}
