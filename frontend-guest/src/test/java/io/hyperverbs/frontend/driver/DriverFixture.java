package io.hyperverbs.frontend.driver;

import io.hyperverbs.frontend.DriverDomain;
import io.hyperverbs.frontend.HcaControlPath;
import io.hyperverbs.frontend.MadeMachine;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Endpoint;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.VerbsException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** One domain on a real HCA, bypass path, two queue pairs connected to each other. */
final class DriverFixture {
    static final Set<Access> ALL =
            EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);

    final MadeMachine machine = new MadeMachine(4096);
    final HcaControlPath control = new HcaControlPath(machine);
    final MadeMachine.Guest guest = machine.guest("a", 1024, Map.of());
    final DriverDomain domain = new DriverDomain(guest, control, null, DataPathKind.BYPASS);

    Context context;
    ProtectionDomain pd;
    CompletionQueue cq;
    MemoryRegion region;

    DriverFixture open() throws VerbsException {
        context = domain.devices().getFirst().open();
        pd = context.allocatePd();
        cq = context.createCq(64, null);
        region = pd.register(domain.memory().allocate(8192, 64), ALL);
        return this;
    }

    RcQueuePair[] pair(QpLimits limits) throws VerbsException {
        RcQueuePair one = pd.createRc(limits, cq, cq);
        RcQueuePair two = pd.createRc(limits, cq, cq);
        Endpoint toOne = one.endpoint(100, region);
        Endpoint toTwo = two.endpoint(200, region);
        one.connect(toTwo, 100, ALL);
        two.connect(toOne, 200, ALL);
        return new RcQueuePair[] {one, two};
    }
}
