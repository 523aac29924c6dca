package io.hyperverbs.backend.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.backend.management.CmObject.Channel;
import io.hyperverbs.backend.session.ContextObject;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.testing.ExecutorBench;
import io.hyperverbs.verbs.Gid;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Handles of one session's objects. */
class CmSessionTest {
    @TempDir
    Path state;

    @Test
    void handleIsNeverTwoObjects() {
        try (ExecutorBench bench = new ExecutorBench(state)) {
            CmEnd end = CmEnd.open(bench, 1);
            ContextObject context = end.session().contexts().get(end.objects().context());
            Iterator<Long> handles = List.of(5L, 5L, 5L, 6L, 5L).iterator();
            CmSession owner = new CmSession(end.session(), new Gid(1, 1), () -> 1, handles::next);

            Channel first = new Channel(owner, context);
            owner.add(first);
            Channel second = new Channel(owner, context);
            owner.add(second);

            assertThat(owner.find(5)).isSameAs(first);
            assertThat(owner.find(6)).isSameAs(second);
            assertThat(owner.used(QuotaKind.CM)).isEqualTo(2);
            assertThatThrownBy(() -> owner.used(QuotaKind.QP)).isInstanceOf(IllegalArgumentException.class);

            // Free again once it is let go; letting go twice counts once.
            owner.remove(first);
            owner.remove(first);
            assertThat(owner.used(QuotaKind.CM)).isEqualTo(1);
            assertThat(new Channel(owner, context).handle).isEqualTo(5);
        }
    }
}
