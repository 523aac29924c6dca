package io.hyperverbs.lab.run.walk;

import io.hyperverbs.lab.walk.model.ModelObjects;
import io.hyperverbs.lab.walk.model.ModelQp;
import io.hyperverbs.lab.walk.model.ModelSrq;
import io.hyperverbs.lab.walk.step.Step;
import io.hyperverbs.verbs.QpAttribute;
import java.util.Map;
import java.util.TreeMap;

/** What queries must find, by name. */
final class Queries {
    private Queries() {}

    /**
     * What a step must find, nothing if it is no query.
     *
     * @param numbers in the HCA by number of the object in the model
     */
    static Map<String, Long> wanted(ModelObjects objects, Step step, Map<Integer, Integer> numbers) {
        Map<String, Long> wanted = new TreeMap<>();
        ModelQp qp = step instanceof Step.Query s ? objects.qp(s.qp()) : null;
        ModelSrq srq = step instanceof Step.QuerySrq s ? objects.srq(s.srq()) : null;
        if (qp != null) {
            fill(wanted, qp, numbers);
        }
        if (srq != null) {
            wanted.put("RECEIVE_WR", (long) srq.room());
            wanted.put("RECEIVE_SGE", (long) srq.pieces());
            wanted.put("LIMIT", (long) srq.limit());
        }
        return wanted;
    }

    private static void fill(Map<String, Long> wanted, ModelQp qp, Map<Integer, Integer> numbers) {
        qp.attributes().forEach((name, value) -> wanted.put(name.name(), value));
        wanted.remove(QpAttribute.DEST_QPN.name());
        wanted.remove(QpAttribute.SQ_PSN.name());
        wanted.remove(QpAttribute.RQ_PSN.name());
        wanted.put(QpAttribute.STATE.name(), (long) qp.state().code());
        if (qp.countsPsns() && !qp.hasRequests()) {
            wanted.put(QpAttribute.SQ_PSN.name(), (long) qp.sendPsn());
        }
        if (qp.countsPsns() && qp.countsReceivePsn()) {
            wanted.put(QpAttribute.RQ_PSN.name(), (long) qp.receivePsn());
        }
        ModelQp peer = qp.peer();
        Integer number = peer == null ? null : numbers.get(peer.number());
        if (number != null) {
            wanted.put(QpAttribute.DEST_QPN.name(), (long) number);
        }
    }
}
