package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.forwarded.ForwardedContext;
import io.hyperverbs.backend.management.Management;
import io.hyperverbs.backend.session.ContextObject;
import io.hyperverbs.backend.session.QpObject;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.session.SessionObject;
import io.hyperverbs.hca.HcaCommands;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes away all that a session has, when its domain ended or broke the protocol. */
public final class SessionTeardown {
    private static final Logger LOG = LoggerFactory.getLogger(SessionTeardown.class);

    private final ObjectRemoval removal;
    private final DestroyVerb destroy;
    private final Management management;
    private final HcaCommands hca;

    public SessionTeardown(DeviceServices services) {
        this.removal = new ObjectRemoval(services);
        this.destroy = new DestroyVerb(removal);
        this.management = services.management();
        this.hca = services.hca();
    }

    /**
     * Closes the session: no verb is taken any more, its data path stops, its objects go in the
     * order in which nothing refers to them. The second call finds nothing to do.
     *
     * @return how many objects the HCA would not let go, and things the VMM would not take back;
     *     their frames stay pinned
     */
    public int close(Session session) {
        session.lock();
        try {
            session.markClosed();
            management.end(session);
            for (ContextObject context : session.contexts().objects()) {
                ForwardedContext path = context.forwarded();
                if (path != null) {
                    path.close();
                }
            }
            int left = 0;
            for (QpObject qp : session.qps().objects()) {
                removal.detachAll(session, qp);
            }
            left += destroyAll(session, session.qps().objects());
            left += destroyAll(session, session.ahs().objects());
            left += destroyAll(session, session.srqs().objects());
            left += destroyAll(session, session.cqs().objects());
            left += destroyAll(session, session.rings().objects());
            left += destroyAll(session, session.windows().objects());
            left += destroyAll(session, session.regions().objects());
            left += destroyAll(session, session.pds().objects());
            left += destroyAll(session, session.contexts().objects());
            hca.endDomain(session.domain());
            return left + session.leftovers().retry();
        } finally {
            session.unlock();
        }
    }

    private int destroyAll(Session session, List<? extends SessionObject> objects) {
        int left = 0;
        for (SessionObject object : objects) {
            // An object that the HCA kept keeps what it refers to.
            VerbsStatus status = object.references() > 0 ? VerbsStatus.EBUSY : destroy.remove(session, object);
            if (status != VerbsStatus.SUCCESS) {
                left++;
                LOG.error("{} of {} not destroyed: {}", object, session.name(), status);
            }
        }
        return left;
    }
}
