package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsStatus;

import java.time.Duration;

/** Posts and polls a million writes to itself between two marks in the store. */
public final class MillionWrites {
    private static final int WRITES = 1_000_000;
    private static final int BATCH = 16;

    private MillionWrites() {}

    public static void main(String[] args) throws Exception {
        Domain domain = Domain.current();
        try (Context context = domain.devices().getFirst().open();
                ProtectionDomain pd = context.allocatePd();
                MemoryRegion region = pd.register(domain.memory().allocate(4096, 4096), Peer.ALL);
                Peer peer = new Peer(context, pd)) {
            Endpoint self = peer.endpoint(region);
            peer.connect(self);
            domain.store().write("connected", "yes");
            domain.store().await("tool", "go", Duration.ofSeconds(60));
            for (int posted = 0; posted < WRITES; posted += BATCH) {
                var sends = peer.qp.sends().start();
                for (int i = 1; i <= BATCH; i++) {
                    sends.rdmaWrite(
                                    i,
                                    i == BATCH ? SendFlags.SIGNALLED : 0,
                                    self.address() + 64,
                                    self.rkey())
                            .sge(region.lkey(), region.address(), 8);
                }
                VerbsStatus status = sends.post();
                if (status != VerbsStatus.SUCCESS || peer.await().status() != VerbsStatus.SUCCESS) {
                    throw new IllegalStateException("write " + posted + " failed: " + status);
                }
            }
            domain.store().write("posted", Integer.toString(WRITES));
            domain.store().await("tool", "end", Duration.ofSeconds(60));
        }
    }
}
