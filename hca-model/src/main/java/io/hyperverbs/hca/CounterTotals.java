package io.hyperverbs.hca;

import io.hyperverbs.hca.engine.HcaDevice;
import io.hyperverbs.hca.engine.Uar;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.QpContext;
import io.hyperverbs.verbs.QpAttribute;

/**
 * Keeps what a queue pair counted in the totals of its port and of its context when it ends or
 * changes port, so that their counters never go down. Engine thread.
 */
final class CounterTotals {
    private final HcaDevice device;

    CounterTotals(HcaDevice device) {
        this.device = device;
    }

    /** After a modify: from now on the queue pair counts for the port it has. */
    void follow(Qp qp) {
        QpContext context = qp.context();
        int port = qp.attribute(QpAttribute.PORT);
        if (device.ports().isPort(port) && port != context.port()) {
            if (context.port() != 0) {
                keep(qp);
            }
            context.port(port);
        }
    }

    /** The queue pair is about to go. */
    void end(Qp qp) {
        keep(qp);
    }

    private void keep(Qp qp) {
        QpContext context = qp.context();
        Uar uar = device.uars().byNumber(qp.plan().uar());
        if (uar != null) {
            context.addTo(uar.totals());
        }
        if (context.port() != 0) {
            context.addTo(device.ports().totals(context.port()));
        }
        context.clearCounters();
    }
}
