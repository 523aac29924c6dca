package io.hyperverbs.upper.mpi.link;

import io.hyperverbs.upper.job.link.JobEnd;
import io.hyperverbs.verbs.DomainMemory;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.ReceivePoster;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmConnection;
import java.nio.ByteBuffer;

/** Queue pair and memory of a link; receives are posted before its peer is there. */
final class RankEnd implements JobEnd {
    private final RankLinks links;
    private final int peer;
    private final LinkSizes sizes;
    private final LinkMemory memory;
    private final RcQueuePair qp;

    RankEnd(RankLinks links, DomainMemory ram, LinkSizes sizes, int peer, QpAttributes init) throws VerbsException {
        this.links = links;
        this.peer = peer;
        this.sizes = sizes;
        this.memory = new LinkMemory(ram, links.pd(), sizes.ringBytes());
        this.qp = links.pd().createRc(QpLimits.of(sizes.sends(), sizes.receives()), links.queue(), links.queue());
        qp.modify(init);
        ReceivePoster receives = qp.receives().start();
        for (int i = 0; i < sizes.receives(); i++) {
            receives.receive((long) peer << PeerLink.RANK_SHIFT);
        }
        if (receives.post() != VerbsStatus.SUCCESS) {
            throw new VerbsException(VerbsStatus.ENOMEM, "receives: " + qp.explainPost());
        }
    }

    @Override
    public RcQueuePair qp() {
        return qp;
    }

    @Override
    public byte[] terms() {
        return new PeerTerms(memory.ringAddress(), memory.ringKey(), sizes.ringBytes(), sizes.receives()).bytes();
    }

    @Override
    public void connected(CmConnection connection, ByteBuffer peerTerms) throws VerbsException {
        String name = links.place().name(peer);
        PeerTerms terms = PeerTerms.parse(peerTerms)
                .orElseThrow(() -> new VerbsException(VerbsStatus.ECONNREFUSED, name + " has no such ring"));
        memory.addCopy(links.pd(), terms.ringBytes());
        links.add(new PeerLink(peer, name, memory, qp, sizes, terms), memory, qp, connection);
    }

    @Override
    public void close() throws VerbsException {
        qp.close();
        memory.close();
    }
}
