import static io.hyperverbs.verbs.Access.LOCAL_WRITE;
import static io.hyperverbs.verbs.Access.REMOTE_WRITE;

import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendWorkRequest.RdmaWrite;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;

import java.util.EnumSet;
import java.util.List;

/** Writes a line from one half of a buffer to the other, through the HCA: hv run examples/WriteHello.java */
public final class WriteHello {
    public static void main(String[] args) throws VerbsException {
        var domain = Domain.current();
        var rights = EnumSet.of(LOCAL_WRITE, REMOTE_WRITE);
        var memory = domain.memory().allocate(128, 64);
        try (var context = domain.devices().getFirst().open();
                var pd = context.allocatePd();
                var region = pd.register(memory, rights);
                var cq = context.createCq(16, null);
                var near = pd.createRc(QpLimits.of(8, 8), cq, cq);
                var far = pd.createRc(QpLimits.of(8, 8), cq, cq)) {
            near.connect(far.endpoint(1, region), 2, rights);
            far.connect(near.endpoint(2, region), 1, rights);
            memory.setString(0, "hello, remote memory");
            var posted = near.postSend(new RdmaWrite(7, SendFlags.SIGNALLED, List.of(region.sge(0, 64)), region.address() + 64, region.rkey()));
            var completions = new WorkCompletion[] {new WorkCompletion()};
            if (posted != VerbsStatus.SUCCESS) throw new VerbsException(posted, near.explainPost());
            cq.await(completions);
            System.out.println(completions[0].explain() + ": " + memory.getString(64));
        }
    }
}
