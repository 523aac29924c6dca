package io.hyperverbs.backend.capture;

import io.hyperverbs.backend.verbs.VerbTap;
import io.hyperverbs.hca.Hca;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.CaptureRings;
import io.hyperverbs.vmm.hypercall.DomainNotice;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The capture of an HCA, if there is one. Any thread. */
public final class Captures {
    private static final Logger LOG = LoggerFactory.getLogger(Captures.class);

    private final Hca hca;
    private final Consumer<@Nullable VerbTap> verbs;
    private @Nullable Running running;

    private record Running(CaptureRings rings, VerbRecorder verbs) {}

    /** {@code verbs}: takes who is to see privileged verbs, or null. */
    public Captures(Hca hca, Consumer<@Nullable VerbTap> verbs) {
        this.hca = hca;
        this.verbs = verbs;
    }

    /** Begins one, in place of one that there may be. @return ETIMEDOUT if the engine does not answer */
    public synchronized VerbsStatus start(DomainNotice.CaptureStarted start) {
        VerbsStatus _ = stop();
        CaptureRings into = start.rings();
        VerbRecorder recorder = new VerbRecorder(into.verbs(), System::nanoTime);
        running = new Running(into, recorder);
        if (start.verbs()) {
            verbs.accept(recorder);
        }
        return hca.capture(new PacketRecorder(into.packets(), start.ports(), start.snapBytes(), System::nanoTime));
    }

    /** Ends it; nothing is written to its rings any more. @return ETIMEDOUT if the engine does not answer */
    public synchronized VerbsStatus stop() {
        Running former = running;
        if (former == null) {
            return VerbsStatus.SUCCESS;
        }
        running = null;
        verbs.accept(null);
        former.verbs().end();
        VerbsStatus status = hca.capture(null);
        if (status == VerbsStatus.SUCCESS) {
            former.rings().close();
        } else {
            LOG.warn("the engine does not answer: the rings of a capture stay mapped");
        }
        return status;
    }
}
