package io.hyperverbs.lab.bench.perf;

import io.hyperverbs.lab.bench.BenchFailure;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.VerbsException;

/** RDMA reads or fetch-and-adds, from post to completion; the peer takes no part. */
final class TimedRequest implements LatencyRun.Exchange {
    private final PerfEnd end;

    TimedRequest(PerfEnd end) {
        this.end = end;
    }

    @Override
    public void once(boolean last) throws VerbsException, BenchFailure {
        end.post(0, 1, SendFlags.SIGNALLED, 0);
        int _ = end.completions.await(end.sendCq);
    }

    @Override
    public void answerAll() {
        // The HCA answers.
    }
}
