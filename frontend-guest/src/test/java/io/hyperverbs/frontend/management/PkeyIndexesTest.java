package io.hyperverbs.frontend.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.frontend.path.PrivilegedVerbs;
import io.hyperverbs.frontend.trace.VerbTrace;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlPath;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.EventSink;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PkeyIndexesTest {
    private final Backend backend = new Backend();
    private final PkeyIndexes indexes = new PkeyIndexes(new PrivilegedVerbs(backend, VerbTrace.off()), 5);

    @Test
    void asksForEachEntryOnce() throws VerbsException {
        assertThat(indexes.of(0x8001)).isEqualTo(2);
        assertThat(indexes.of(0xffff)).isZero();
        assertThat(indexes.of(0x8001)).isEqualTo(2);

        assertThat(backend.asked)
                .containsExactly(
                        new ControlRequest.QueryPkey(5, 1, 0),
                        new ControlRequest.QueryPkey(5, 1, 1),
                        new ControlRequest.QueryPkey(5, 1, 2));
    }

    @Test
    void aKeyThatTheTableLacksIsRefused() {
        assertThatThrownBy(() -> indexes.of(0x8002))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.status()).isEqualTo(VerbsStatus.EINVAL));
    }

    /** Has a table with an entry twice. */
    private static final class Backend implements ControlPath {
        private static final List<Integer> TABLE = List.of(0xffff, 0xffff, 0x8001);

        final List<ControlRequest> asked = new ArrayList<>();

        @Override
        public ControlReply call(ControlRequest request) {
            asked.add(request);
            int index = ((ControlRequest.QueryPkey) request).index();
            return index < TABLE.size()
                    ? new ControlReply.PkeyQueried(TABLE.get(index))
                    : new ControlReply.Refused(VerbsStatus.EINVAL, "no entry");
        }

        @Override
        public void pause(long nanos) {}

        @Override
        public void subscribe(EventSink sink) {}

        @Override
        public void close() {}
    }
}
