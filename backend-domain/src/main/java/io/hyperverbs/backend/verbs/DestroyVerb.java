package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.session.AhObject;
import io.hyperverbs.backend.session.ContextObject;
import io.hyperverbs.backend.session.CqObject;
import io.hyperverbs.backend.session.PdObject;
import io.hyperverbs.backend.session.QpObject;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.RegionObject;
import io.hyperverbs.backend.session.RingObject;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.session.SessionObject;
import io.hyperverbs.backend.session.SrqObject;
import io.hyperverbs.backend.session.WindowObject;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest.Destroy;
import org.jspecify.annotations.Nullable;

/** Destroying any object: ENOENT if unknown, EBUSY while something refers to it. */
final class DestroyVerb {
    private final ObjectRemoval removal;

    DestroyVerb(ObjectRemoval removal) {
        this.removal = removal;
    }

    Verb destroy(Session session, Destroy request) throws Refusal {
        SessionObject found = find(session, request);
        if (found == null) {
            throw new Refusal(VerbsStatus.ENOENT, "no such " + request.kind());
        }
        if (found.references() > 0) {
            throw new Refusal(
                    VerbsStatus.EBUSY, request.kind() + " is used by " + found.references() + " other objects");
        }
        return undo -> {
            VerbsStatus status = remove(session, found);
            Statuses.expectSuccess(status, request.kind().toString());
            return new ControlReply.Done();
        };
    }

    VerbsStatus remove(Session session, SessionObject object) {
        return switch (object) {
            case ContextObject context -> removal.remove(session, context);
            case PdObject pd -> removal.remove(session, pd);
            case RegionObject region -> removal.remove(session, region);
            case RingObject ring -> removal.remove(session, ring);
            case CqObject cq -> removal.remove(session, cq);
            case QpObject qp -> removal.remove(session, qp);
            case AhObject ah -> removal.remove(session, ah);
            case SrqObject srq -> removal.remove(session, srq);
            case WindowObject window -> removal.remove(session, window);
        };
    }

    private static @Nullable SessionObject find(Session session, Destroy request) {
        long handle = request.handle();
        return switch (request.kind()) {
            case CONTEXT -> session.contexts().get(handle);
            case PD -> session.pds().get(handle);
            case REGION -> session.regions().get(handle);
            case RING -> session.rings().get(handle);
            case CQ -> session.cqs().get(handle);
            case QP -> session.qps().get(handle);
            case AH -> session.ahs().get(handle);
            case SRQ -> session.srqs().get(handle);
            case WINDOW -> session.windows().get(handle);
        };
    }
}
