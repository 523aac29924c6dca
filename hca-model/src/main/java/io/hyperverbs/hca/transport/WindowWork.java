package io.hyperverbs.hca.transport;

import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.layout.WindowWqeLayout;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.qp.SendQueue;
import io.hyperverbs.hca.tpt.CompletionError;
import io.hyperverbs.hca.tpt.Window;
import io.hyperverbs.hca.tpt.Window.Binding;
import io.hyperverbs.hca.tpt.WindowTable;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VendorError;
import io.hyperverbs.verbs.VerbsStatus;

/**
 * The requests that change memory windows and send nothing: BIND_MW and LOCAL_INV, done in the
 * order of the send queue. From the moment of a change no chunk of a copy starts under the old key.
 * Engine thread only; allocates nothing.
 */
public final class WindowWork {
    private final WindowTable windows;
    private final Completer completer;
    private final Binding binding = new Binding();

    public WindowWork(WindowTable windows, Completer completer) {
        this.windows = windows;
        this.completer = completer;
    }

    public static boolean isWindowWork(int opcode) {
        return opcode == SendWqeLayout.OPCODE_BIND_MW || opcode == SendWqeLayout.OPCODE_LOCAL_INV;
    }

    /** Judges the form of such a request: it has neither segments nor inline data. */
    static VerbsStatus form(SendQueue sends, CompletionError error) {
        int segments = SendWqeLayout.segmentCount(sends.copies(), sends.copy());
        if (segments != 0 || sends.hasFlag(SendFlags.INLINE)) {
            error.set(VendorError.TOO_MANY_SEGMENTS, 0, 0, 0, segments);
            return VerbsStatus.LOC_QP_OP_ERR;
        }
        sends.lengthBytes(0);
        return VerbsStatus.SUCCESS;
    }

    /** Does the current request and ends it. */
    public void run(Qp qp, CompletionError error) {
        boolean done = qp.sends().opcode() == SendWqeLayout.OPCODE_BIND_MW ? bind(qp, error) : invalidate(qp, error);
        if (done) {
            completer.sendDone(qp);
        } else {
            completer.sendFailed(qp, VerbsStatus.MW_BIND_ERR, error);
        }
    }

    private boolean bind(Qp qp, CompletionError error) {
        SendQueue sends = qp.sends();
        binding.rkey = WindowWqeLayout.rkey(sends.copies(), sends.copy());
        binding.lkey = WindowWqeLayout.lkey(sends.copies(), sends.copy());
        binding.address = WindowWqeLayout.address(sends.copies(), sends.copy());
        binding.lengthBytes = WindowWqeLayout.lengthBytes(sends.copies(), sends.copy());
        binding.access = WindowWqeLayout.access(sends.copies(), sends.copy());
        return windows.bind(qp.pd(), qp.qpn(), binding, error) != null;
    }

    private boolean invalidate(Qp qp, CompletionError error) {
        int rkey = WindowWqeLayout.invalidated(qp.sends().copies(), qp.sends().copy());
        Window window = windows.invalidatable(qp.pd(), qp.qpn(), rkey, error);
        if (window == null) {
            return false;
        }
        windows.unbind(window);
        return true;
    }
}
