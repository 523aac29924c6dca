package io.hyperverbs.frontend.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.frontend.event.EventDispatcher;
import io.hyperverbs.frontend.path.PrivilegedVerbs;
import io.hyperverbs.frontend.trace.VerbTrace;
import io.hyperverbs.frontend.tree.VerbsNode;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.verbs.sa.PathRecord;
import io.hyperverbs.vmm.io.ControlPath;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.EventSink;
import io.hyperverbs.vmm.io.ManagementReply;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Guests whom other HCAs are asked for: the driver asks its backend again, ever more seldom. */
class PendingPathTest {
    private static final Destination TO = Destination.guest("far");
    private static final PathRecord PATH = new PathRecord(new Gid(1, 2), new Gid(1, 3), 7, 8, 0xffff, 0, 1024, 0, true);
    private static final ControlReply NOBODY = new ControlReply.Refused(VerbsStatus.ENOENT, "nobody");

    private final Backend backend = new Backend();
    private final PrivilegedVerbs privileged = new PrivilegedVerbs(backend, VerbTrace.off());
    private final ManagementCalls verbs =
            new ManagementCalls(privileged, new EventDispatcher(), new Root(), 5, new PkeyIndexes(privileged, 5));

    @Test
    void aPathIsAskedForUntilItIsThere() throws VerbsException {
        for (int i = 0; i < 10; i++) {
            backend.answer(new ManagementReply.Pending(500));
        }
        backend.answer(new ManagementReply.Path(PATH));

        assertThat(verbs.path(TO)).isEqualTo(PATH);
        assertThat(backend.pauses)
                .containsExactly(
                        500_000L,
                        1_000_000L,
                        2_000_000L,
                        4_000_000L,
                        8_000_000L,
                        16_000_000L,
                        32_000_000L,
                        32_000_000L,
                        32_000_000L,
                        32_000_000L);
    }

    @Test
    void aBackendCannotStopItForLong() throws VerbsException {
        backend.answer(new ManagementReply.Pending(Integer.MAX_VALUE));
        backend.answer(new ManagementReply.Path(PATH));

        assertThat(verbs.path(TO)).isEqualTo(PATH);
        assertThat(backend.pauses).containsExactly(50_000_000L);
    }

    @Test
    void nobodyAndNonsenseAreSaid() {
        backend.replies.add(NOBODY);
        backend.answer(new ManagementReply.Opened(1));

        assertThatThrownBy(() -> verbs.path(TO))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("nobody");
        assertThatThrownBy(() -> verbs.path(TO))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("Opened");
    }

    @Test
    void anInterruptEndsTheWait() {
        backend.answer(new ManagementReply.Pending(500));
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> verbs.path(TO))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.status()).isEqualTo(VerbsStatus.EINTR));
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void whoResolvesWaitsForThePathFirst() throws VerbsException {
        backend.answer(new ManagementReply.Opened(9));
        backend.replies.add(NOBODY);
        backend.answer(new ManagementReply.Pending(500));
        backend.answer(new ManagementReply.Path(PATH));
        backend.answer(new ManagementReply.Resolved(3, "far", PATH));

        DriverCmChannel channel = DriverCmChannel.create(verbs);

        assertThat(channel.resolve(TO).guest()).isEqualTo("far");
        assertThat(backend.replies).isEmpty();
    }

    /** What the channel's context would be. */
    private static final class Root extends VerbsNode {
        @Override
        public String describe() {
            return "root";
        }

        @Override
        protected void destroy() {}
    }

    /** Answers what the test says, in that order. */
    private static final class Backend implements ControlPath {
        final ArrayDeque<ControlReply> replies = new ArrayDeque<>();
        final List<Long> pauses = new ArrayList<>();

        void answer(ManagementReply reply) {
            replies.add(new ControlReply.Management(reply));
        }

        @Override
        public ControlReply call(ControlRequest request) {
            return replies.remove();
        }

        @Override
        public void pause(long nanos) {
            pauses.add(nanos);
        }

        @Override
        public void subscribe(EventSink sink) {}

        @Override
        public void close() {}
    }
}
