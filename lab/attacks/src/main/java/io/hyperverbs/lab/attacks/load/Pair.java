package io.hyperverbs.lab.attacks.load;

import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsException;

/** Two queue pairs of one domain, connected to each other: nobody else has a part in it. */
final class Pair {
    private static final int PSN = 7;

    final Site site;
    final MemoryRegion region;
    final RcQueuePair active;
    final RcQueuePair passive;
    final int depth;

    /** Requests begun and done. */
    long posted;

    long done;

    Pair(Site site, MemoryRegion region, int depth) throws VerbsException {
        this.site = site;
        this.region = region;
        this.depth = depth;
        active = site.pd.createRc(QpLimits.of(depth, depth), site.cq, site.cq);
        passive = site.pd.createRc(QpLimits.of(depth, depth), site.cq, site.cq);
        connect();
    }

    Pair(Site site, int depth) throws VerbsException {
        this(site, site.region, depth);
    }

    void connect() throws VerbsException {
        active.connect(passive.endpoint(PSN, region), PSN, Site.RIGHTS);
        passive.connect(active.endpoint(PSN, region), PSN, Site.RIGHTS);
    }

    /** Both ends to RESET and to RTS again. */
    void reconnect() throws VerbsException {
        active.modify(QpAttributes.to(QpState.RESET));
        passive.modify(QpAttributes.to(QpState.RESET));
        connect();
    }

    /** Retries for ever, as fast as the peer lets it. */
    void retryForEver() throws VerbsException {
        passive.modify(QpAttributes.none().with(QpAttribute.MIN_RNR_TIMER, 1));
        active.modify(QpAttributes.to(QpState.SQD));
        active.modify(QpAttributes.none().with(QpAttribute.RNR_RETRY, 7));
        active.modify(QpAttributes.to(QpState.RTS));
    }

    // Each of these adds to the batch begun with active.sends().start().

    void write(int bytes, int flags) {
        active.sends()
                .rdmaWrite(posted, flags, region.address(), region.rkey())
                .sge(region.lkey(), region.address(), bytes);
    }

    void read(int bytes, int flags) {
        active.sends()
                .rdmaRead(posted, flags, region.address(), region.rkey())
                .sge(region.lkey(), region.address(), bytes);
    }

    void fetchAndAdd() {
        active.sends()
                .fetchAndAdd(posted, SendFlags.SIGNALLED, region.address(), region.rkey(), 1)
                .sge(region.lkey(), region.address() + Long.BYTES, Long.BYTES);
    }

    void send(int bytes, int flags) {
        active.sends().send(posted, flags).sge(region.lkey(), region.address(), bytes);
    }

    /** Posts a receive for the passive side. */
    void receive(int bytes) throws VerbsException {
        Site.check(
                passive.receives()
                        .start()
                        .receive(0)
                        .sge(region.lkey(), region.address(), bytes)
                        .post(),
                "receive");
    }

    /** Posts the one request that {@code sends} begins. */
    void post() throws VerbsException {
        Site.check(active.sends().post(), "post");
    }

    void close() throws VerbsException {
        active.close();
        passive.close();
    }
}
