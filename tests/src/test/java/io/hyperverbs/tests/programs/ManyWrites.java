package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsStatus;

/** Posts and polls writes to itself. Argument: how many. */
public final class ManyWrites {
    private static final int BATCH = 16;

    private ManyWrites() {}

    public static void main(String[] args) throws Exception {
        Domain domain = Domain.current();
        try (Context context = domain.devices().getFirst().open();
                ProtectionDomain pd = context.allocatePd();
                MemoryRegion region = pd.register(domain.memory().allocate(4096, 4096), Peer.ALL);
                Peer peer = new Peer(context, pd)) {
            Endpoint self = peer.endpoint(region);
            peer.connect(self);
            int writes = Integer.parseInt(args[0]);
            for (int posted = 0; posted < writes; posted += BATCH) {
                var sends = peer.qp.sends().start();
                for (int i = 1; i <= BATCH; i++) {
                    sends.rdmaWrite(i, i == BATCH ? SendFlags.SIGNALLED : 0, self.address() + 64, self.rkey())
                            .sge(region.lkey(), region.address(), 8);
                }
                VerbsStatus status = sends.post();
                if (status != VerbsStatus.SUCCESS || peer.await().status() != VerbsStatus.SUCCESS) {
                    throw new IllegalStateException("write " + posted + " failed: " + status);
                }
            }
        }
    }
}
