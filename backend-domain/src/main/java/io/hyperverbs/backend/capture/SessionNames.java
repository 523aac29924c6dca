package io.hyperverbs.backend.capture;

import io.hyperverbs.backend.session.AhObject;
import io.hyperverbs.backend.session.CqObject;
import io.hyperverbs.backend.session.PdObject;
import io.hyperverbs.backend.session.QpObject;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.session.SrqObject;
import io.hyperverbs.vmm.io.ObjectNames;
import java.util.Locale;

/** The numbers of a session's objects, those that were made before a capture began among them. */
final class SessionNames extends ObjectNames {
    private final Session session;

    SessionNames(Session session) {
        this.session = session;
    }

    @Override
    public String of(long handle) {
        QpObject qp = session.qps().get(handle);
        if (qp != null) {
            return wireNumber(qp.qpn());
        }
        CqObject cq = session.cqs().get(handle);
        if (cq != null) {
            return Integer.toString(cq.number());
        }
        PdObject pd = session.pds().get(handle);
        if (pd != null) {
            return Integer.toString(pd.number());
        }
        SrqObject srq = session.srqs().get(handle);
        if (srq != null) {
            return wireNumber(srq.srqn());
        }
        AhObject ah = session.ahs().get(handle);
        return ah != null ? wireNumber(ah.number()) : super.of(handle);
    }

    /** As packets have it. */
    private static String wireNumber(int number) {
        return String.format(Locale.ROOT, "0x%06x", number);
    }
}
