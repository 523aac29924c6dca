package io.hyperverbs.frontend.driver;

import io.hyperverbs.frontend.tree.Rollback;
import io.hyperverbs.frontend.tree.VerbsNode;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.SharedReceiveQueue;
import io.hyperverbs.verbs.SrqLimits;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.XrcDomain;
import io.hyperverbs.verbs.XrcTarget;

/**
 * An XRC domain of the HCA, and a completion queue into which nothing completes, for its targets.
 * Any thread.
 */
final class DriverXrcDomain extends VerbsNode implements XrcDomain {
    private final DriverPd domain;
    private final DriverCq idle;

    private DriverXrcDomain(DriverPd domain, DriverCq idle) {
        this.domain = domain;
        this.idle = idle;
    }

    static DriverXrcDomain open(DriverContext context) throws VerbsException {
        try (Rollback undo = new Rollback()) {
            DriverPd domain = DriverPd.ofXrc(context);
            undo.add(domain::close);
            DriverCq idle = DriverCq.create(context, 1, null);
            undo.add(idle::close);
            DriverXrcDomain made = new DriverXrcDomain(domain, idle);
            made.dependOn(context);
            undo.keep();
            return made;
        }
    }

    @Override
    public Context context() {
        return domain.context();
    }

    @Override
    public SharedReceiveQueue createSrq(ProtectionDomain pd, SrqLimits limits, CompletionQueue cq)
            throws VerbsException {
        requireOpen();
        if (!(pd instanceof DriverPd own) || own.driverContext() != domain.driverContext()) {
            throw new VerbsException(VerbsStatus.EINVAL, "protection domain of another context");
        }
        return DriverSrq.create(own, limits, this, DriverCq.of(cq, domain.driverContext()));
    }

    @Override
    public XrcTarget createTarget() throws VerbsException {
        requireOpen();
        return DriverXrcTarget.create(this, domain, idle);
    }

    @Override
    public String describe() {
        return "xrc domain " + domain.describe();
    }

    @Override
    protected void destroy() throws VerbsException {
        idle.close();
        domain.close();
    }

    long handle() {
        return domain.handle();
    }
}
