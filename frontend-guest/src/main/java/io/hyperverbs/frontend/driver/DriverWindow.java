package io.hyperverbs.frontend.driver;

import io.hyperverbs.frontend.post.WindowKey;
import io.hyperverbs.frontend.tree.Rollback;
import io.hyperverbs.frontend.tree.VerbsNode;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WindowBinding;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import io.hyperverbs.vmm.io.ObjectNames;

/** A memory window. Any thread. */
final class DriverWindow extends VerbsNode implements MemoryWindow, WindowKey {
    private final DriverPd pd;
    private final Type type;
    private final long handle;
    private volatile int rkey;

    private DriverWindow(DriverPd pd, Type type, ControlReply.WindowAllocated allocated) {
        this.pd = pd;
        this.type = type;
        this.handle = allocated.window();
        this.rkey = allocated.rkey();
    }

    static DriverWindow allocate(DriverPd pd, Type type) throws VerbsException {
        DriverParts parts = pd.driverContext().parts();
        try (Rollback undo = new Rollback()) {
            ControlReply.WindowAllocated reply = parts.verbs()
                    .call(
                            new ControlRequest.AllocateWindow(pd.handle(), type.code()),
                            ControlReply.WindowAllocated.class);
            undo.add(() -> parts.verbs().destroy(ObjectKind.WINDOW, reply.window()));
            DriverWindow window = new DriverWindow(pd, type, reply);
            window.dependOn(pd);
            undo.keep();
            return window;
        }
    }

    /** Whether {@code ibv_bind_mw} takes it: SUCCESS, EINVAL or EPERM. The HCA checks all again. */
    static VerbsStatus mayBind(MemoryWindow window, WindowBinding binding) {
        if (!(window instanceof DriverWindow mine)
                || !(binding.region() instanceof DriverRegion region)
                || mine.type != Type.ONE) {
            return VerbsStatus.EINVAL;
        }
        return region.driverPd().handle() == mine.pd.handle() ? VerbsStatus.SUCCESS : VerbsStatus.EPERM;
    }

    @Override
    public ProtectionDomain pd() {
        return pd;
    }

    @Override
    public Type type() {
        return type;
    }

    @Override
    public int rkey() {
        return rkey;
    }

    @Override
    public void rkey(int posted) {
        rkey = posted;
    }

    @Override
    public String describe() {
        return "mw " + ObjectNames.slot(handle);
    }

    @Override
    protected void destroy() throws VerbsException {
        pd.driverContext().parts().verbs().destroy(ObjectKind.WINDOW, handle);
    }
}
