package io.hyperverbs.backend.session;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.HypercallException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a session could not give back to the VMM when it was to: frames, grants, pins. It is tried
 * again before the session's next verb and at its end. Under the session's lock.
 */
public final class Leftovers {
    /** Gives one thing back. */
    public interface Step {
        void run() throws HypercallException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);

    private final Deque<Step> steps = new ArrayDeque<>();

    /** Runs {@code step}, and keeps it if it fails in a way that may pass. */
    public void run(Step step) {
        if (!isDone(step)) {
            steps.add(step);
        }
    }

    /** Tries each once more, in the order in which they failed first; how many are left. */
    public int retry() {
        // A grant may have to go before the frames that it is of.
        for (int left = steps.size(); left > 0; left--) {
            Step step = steps.remove();
            if (!isDone(step)) {
                steps.add(step);
            }
        }
        return steps.size();
    }

    private static boolean isDone(Step step) {
        try {
            step.run();
            return true;
        } catch (HypercallException e) {
            if (mayPass(e.status())) {
                LOG.warn("not given back yet: {}", e.getMessage());
                return false;
            }
            LOG.error("not given back", e);
            return true;
        } catch (VirtualMachineError e) {
            LOG.warn("not given back yet: {}", e.toString());
            return false;
        } catch (RuntimeException | Error e) {
            LOG.error("not given back", e);
            return true;
        }
    }

    /** Where the VMM knows no such thing, an earlier try was carried out and its answer lost. */
    private static boolean mayPass(VerbsStatus status) {
        return switch (status) {
            case EIO, ENOMEM, EBUSY, EAGAIN, EINTR -> true;
            default -> false;
        };
    }
}
