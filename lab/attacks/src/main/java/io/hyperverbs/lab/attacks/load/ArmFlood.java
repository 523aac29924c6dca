package io.hyperverbs.lab.attacks.load;

import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.WorkCompletion;

/** An event for each completion, which nobody waits for: arm, write, poll, and so on. */
final class ArmFlood implements Load {
    private final ArmedWrites writes;
    private final WorkCompletion[] one = {new WorkCompletion()};

    ArmFlood(Home home) throws VerbsException {
        writes = new ArmedWrites(home);
    }

    @Override
    public void step() throws VerbsException {
        writes.armAndPost();
        while (writes.cq.poll(one) == 0) {
            Thread.onSpinWait();
        }
    }
}
