package io.hyperverbs.lab.attacks.load;

import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.time.Duration;

/** A program that sleeps until its completion is there: arm, write, await the event, poll. */
final class EventPings implements Load {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ArmedWrites writes;
    private final WorkCompletion[] one = {new WorkCompletion()};

    EventPings(Home home) throws VerbsException {
        writes = new ArmedWrites(home);
    }

    @Override
    public void step() throws VerbsException {
        writes.armAndPost();
        if (writes.channel.await(PATIENCE).isEmpty()) {
            throw new VerbsException(VerbsStatus.ETIMEDOUT, "no event within 20 s");
        }
        writes.channel.acknowledge(writes.cq, 1);
        if (writes.cq.poll(one) == 0) {
            throw new VerbsException(VerbsStatus.EIO, "an event without a completion");
        }
        Site.check(one[0].status(), "completion");
    }
}
