package io.hyperverbs.frontend.management;

import io.hyperverbs.frontend.tree.VerbsNode;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.cm.CmListener;
import io.hyperverbs.vmm.io.ManagementReply;
import io.hyperverbs.vmm.io.ManagementRequest;

/** A service id that the domain listens to. Any thread. */
final class DriverCmListener extends VerbsNode implements CmListener {
    private final ManagementCalls verbs;
    private final long handle;
    private final long serviceId;

    private DriverCmListener(ManagementCalls verbs, long handle, long serviceId) {
        this.verbs = verbs;
        this.handle = handle;
        this.serviceId = serviceId;
    }

    static DriverCmListener listen(DriverCmChannel channel, long serviceId, int backlog) throws VerbsException {
        ManagementCalls verbs = channel.verbs();
        long handle = verbs.call(
                        new ManagementRequest.Listen(channel.handle(), serviceId, backlog),
                        ManagementReply.Opened.class)
                .handle();
        DriverCmListener listener = new DriverCmListener(verbs, handle, serviceId);
        try {
            listener.dependOn(channel);
        } catch (VerbsException e) {
            verbs.release(handle);
            throw e;
        }
        return listener;
    }

    @Override
    public long serviceId() {
        return serviceId;
    }

    @Override
    public String describe() {
        return "listener 0x" + Long.toHexString(serviceId);
    }

    @Override
    protected void destroy() throws VerbsException {
        verbs.release(handle);
    }
}
