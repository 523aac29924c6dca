package io.hyperverbs.frontend.driver;

import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;

/** An unreliable-datagram queue pair. */
final class DriverUdQp extends DriverQp implements UdQueuePair {
    DriverUdQp(Made made) {
        super(made, QpType.UD);
    }

    @Override
    public void attachMulticast(Gid group, int lid) throws VerbsException {
        checkOpen();
        verbs().call(new ControlRequest.AttachMulticast(handle(), group, lid), ControlReply.Done.class);
    }

    @Override
    public void detachMulticast(Gid group, int lid) throws VerbsException {
        checkOpen();
        verbs().call(new ControlRequest.DetachMulticast(handle(), group, lid), ControlReply.Done.class);
    }
}
