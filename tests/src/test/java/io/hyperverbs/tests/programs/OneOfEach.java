package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SrqLimits;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WindowBinding;
import io.hyperverbs.verbs.XrcDomain;
import io.hyperverbs.verbs.cm.CmChannel;
import io.hyperverbs.verbs.cm.ConnectionManager;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** Has an object of each kind until it is ended; says "up" in the store when it has. */
public final class OneOfEach {
    private static final Gid GROUP = new Gid(0xff12_401b_ffff_0000L, 0x1111);
    private static final int GROUP_LID = 0xc011;

    private OneOfEach() {}

    public static void main(String[] args) throws Exception {
        Domain domain = Domain.current();
        Context context = domain.devices().getFirst().open();
        ProtectionDomain pd = context.allocatePd();
        MemorySegment memory = domain.memory().allocate(4096, 4096);
        Set<Access> bindable = EnumSet.of(Access.LOCAL_WRITE, Access.MW_BIND);
        MemoryRegion region = pd.register(memory, bindable);
        Peer peer = new Peer(context, pd);
        peer.connect(peer.endpoint(region));
        var _ = pd.allocateWindow(MemoryWindow.Type.TWO);
        MemoryWindow bound = pd.allocateWindow(MemoryWindow.Type.ONE);
        WindowBinding part = new WindowBinding(region, memory.address(), 64, EnumSet.of(Access.REMOTE_READ));
        VerbsStatus posted = peer.qp.bind(1, SendFlags.SIGNALLED, bound, part);
        if (posted != VerbsStatus.SUCCESS || peer.await().status() != VerbsStatus.SUCCESS) {
            throw new IllegalStateException("window not bound");
        }
        CompletionQueue cq = context.createCq(8, null);
        UdQueuePair ud = pd.createUd(QpLimits.of(4, 4), cq, cq);
        ud.attachMulticast(GROUP, GROUP_LID);
        var _ = pd.createAh(AddressAttributes.ofGroup(GROUP, GROUP_LID));
        XrcDomain xrcd = context.openXrcDomain();
        var _ = xrcd.createSrq(pd, new SrqLimits(4, 1), cq);
        var _ = xrcd.createTarget();
        CmChannel channel = ConnectionManager.of(context).createChannel();
        var _ = ConnectionManager.of(context).listen(channel, CmCallee.SERVICE, 1);
        domain.store().write("up", "yes");
        var _ = context.awaitAsyncEvent(Duration.ofMinutes(5));
    }
}
