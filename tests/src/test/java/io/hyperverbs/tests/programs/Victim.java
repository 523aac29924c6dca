package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.SendFlags;

import java.lang.foreign.MemorySegment;
import java.time.Duration;

/** Writes into its peer's region without end, until it is killed. Argument: the survivor's name. */
public final class Victim {
    static final int CHUNK_BYTES = 64 * 1024;

    private Victim() {}

    public static void main(String[] args) throws Exception {
        Domain domain = Domain.current();
        String survivor = args[0];
        Context context = domain.devices().getFirst().open();
        ProtectionDomain pd = context.allocatePd();
        MemorySegment buffer = domain.memory().allocate(CHUNK_BYTES, 4096);
        MemoryRegion region = pd.register(buffer, Peer.ALL);
        Peer peer = new Peer(context, pd);
        domain.store().write("ep", peer.endpoint(region).format());
        Endpoint remote =
                Endpoint.parse(
                        domain.store()
                                .await(survivor, "ep-" + domain.name(), Duration.ofSeconds(30)));
        peer.connect(remote);
        domain.store().write("connected", "yes");
        buffer.fill((byte) 0x5a);
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
