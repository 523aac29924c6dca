package io.hyperverbs.frontend.driver;

import io.hyperverbs.frontend.tree.Rollback;
import io.hyperverbs.frontend.tree.VerbsNode;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.XrcDomain;
import io.hyperverbs.verbs.XrcTarget;

/** A target of XRC: a queue pair to which nothing is posted. Any thread. */
final class DriverXrcTarget extends VerbsNode implements XrcTarget {
    // The smallest there is: neither queue is used.
    private static final QpLimits LIMITS = new QpLimits(1, 0, 1, 1, 0, false);

    private final DriverXrcDomain domain;
    private final DriverRcQp qp;

    private DriverXrcTarget(DriverXrcDomain domain, DriverRcQp qp) {
        this.domain = domain;
        this.qp = qp;
    }

    static DriverXrcTarget create(DriverXrcDomain domain, DriverPd pd, DriverCq idle) throws VerbsException {
        try (Rollback undo = new Rollback()) {
            DriverRcQp qp = DriverRcQp.create(QpType.XRC_RECV, pd, LIMITS, idle, idle, null);
            undo.add(qp::close);
            DriverXrcTarget target = new DriverXrcTarget(domain, qp);
            target.dependOn(domain);
            undo.keep();
            return target;
        }
    }

    @Override
    public XrcDomain domain() {
        return domain;
    }

    @Override
    public int qpn() {
        return qp.qpn();
    }

    @Override
    public void modify(QpAttributes attributes) throws VerbsException {
        requireOpen();
        qp.modify(attributes);
    }

    @Override
    public QpAttributes query() throws VerbsException {
        requireOpen();
        return qp.query();
    }

    @Override
    public String describe() {
        return "xrc target " + qp.describe();
    }

    @Override
    protected void destroy() throws VerbsException {
        qp.close();
    }
}
