package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.session.QpObject;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest.QueryQp;

/** What the HCA knows of an object. */
final class QueryVerbs {
    private final DeviceServices services;

    QueryVerbs(DeviceServices services) {
        this.services = services;
    }

    Verb queuePair(Session session, QueryQp request) throws Refusal {
        QpObject qp = Statuses.parameter(session.qps().get(request.qp()), "QP");
        return _ -> new ControlReply.QpQueried(services.hca().queryQp(qp.qpn()));
    }
}
