package io.hyperverbs.lab.bench.perf;

import io.hyperverbs.lab.bench.BenchFailure;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsException;

/** Posts messages of a ping-pong, of which one in a while is signalled, so that the send queue never fills. */
final class SignalledSends {
    private static final int SIGNAL_EVERY = PerfObjects.LATENCY_SENDS / 2;

    private final PerfEnd end;
    private int posted;

    SignalledSends(PerfEnd end) {
        this.end = end;
    }

    void post(int immediate) throws BenchFailure {
        posted++;
        end.post(0, posted, posted % SIGNAL_EVERY == 0 ? SendFlags.SIGNALLED : SendFlags.NONE, immediate);
    }

    /** After the answer to the last message: takes its completion if it has one. */
    void drain() throws VerbsException, BenchFailure {
        if (posted % SIGNAL_EVERY == 0) {
            int _ = end.completions.await(end.sendCq);
        }
    }
}
