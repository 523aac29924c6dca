package example;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest.FetchAndAdd;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.List;

/** Counts in memory by atomics of the HCA. */
public final class CountByAtomics {
    private static final int TIMES = 3;

    public static void main(String[] args) throws VerbsException {
        var domain = Domain.current();
        var rights = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_ATOMIC);
        var memory = domain.memory().allocate(16, 64);
        try (var context = domain.devices().getFirst().open();
                var pd = context.allocatePd();
                var region = pd.register(memory, rights);
                var cq = context.createCq(8, null);
                var near = pd.createRc(QpLimits.of(4, 1), cq, cq);
                var far = pd.createRc(QpLimits.of(4, 1), cq, cq)) {
            near.connect(far.endpoint(1, region), 2, rights);
            far.connect(near.endpoint(2, region), 1, rights);
            var completions = new WorkCompletion[] {new WorkCompletion()};
            // The old value lands in the first 8 bytes, the counter is in the 8 after them.
            var add = new FetchAndAdd(
                    1, SendFlags.SIGNALLED, List.of(region.sge(0, 8)), region.address() + 8, region.rkey(), 1);
            for (int i = 0; i < TIMES; i++) {
                var posted = near.postSend(add);
                if (posted != VerbsStatus.SUCCESS) {
                    throw new VerbsException(posted, near.explainPost());
                }
                cq.await(completions);
                if (completions[0].status() != VerbsStatus.SUCCESS) {
                    throw new VerbsException(completions[0].status(), completions[0].explain());
                }
            }
            System.out.println(domain.name() + " counted to " + memory.get(ValueLayout.JAVA_LONG, 8));
        }
        domain.memory().free(memory);
    }
}
