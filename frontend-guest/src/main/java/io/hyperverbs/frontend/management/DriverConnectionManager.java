package io.hyperverbs.frontend.management;

import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmChannel;
import io.hyperverbs.verbs.cm.CmConnection;
import io.hyperverbs.verbs.cm.CmListener;
import io.hyperverbs.verbs.cm.ConnectionManager;
import io.hyperverbs.verbs.sa.Destination;

/** The connection manager of one context. Any thread. */
public final class DriverConnectionManager implements ConnectionManager {
    private final ManagementCalls verbs;

    public DriverConnectionManager(ManagementCalls verbs) {
        this.verbs = verbs;
    }

    @Override
    public CmChannel createChannel() throws VerbsException {
        return DriverCmChannel.create(verbs);
    }

    @Override
    public CmListener listen(CmChannel channel, long serviceId, int backlog) throws VerbsException {
        return DriverCmListener.listen(own(channel), serviceId, backlog);
    }

    @Override
    public CmConnection resolve(CmChannel channel, Destination to) throws VerbsException {
        return own(channel).resolve(to);
    }

    private DriverCmChannel own(CmChannel channel) throws VerbsException {
        if (channel instanceof DriverCmChannel ours && ours.isOf(verbs)) {
            return ours;
        }
        throw new VerbsException(VerbsStatus.EINVAL, "channel of another context");
    }
}
