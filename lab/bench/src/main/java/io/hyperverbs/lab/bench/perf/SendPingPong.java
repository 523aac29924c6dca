package io.hyperverbs.lab.bench.perf;

import io.hyperverbs.lab.bench.BenchFailure;
import io.hyperverbs.verbs.VerbsException;

/** Sends to and fro; the active side's last message has immediate data. */
final class SendPingPong implements LatencyRun.Exchange {
    private static final int LAST = 1;

    private final PerfEnd end;
    private final SignalledSends sends;

    SendPingPong(PerfEnd end) {
        this.end = end;
        this.sends = new SignalledSends(end);
    }

    @Override
    public void once(boolean last) throws VerbsException, BenchFailure {
        sends.post(last ? LAST : 0);
        boolean _ = arrived();
        sends.drain();
    }

    @Override
    public void answerAll() throws VerbsException, BenchFailure {
        boolean last = false;
        while (!last) {
            last = arrived();
            sends.post(0);
            sends.drain();
        }
    }

    /** Waits for a message and posts the next receive; returns whether it was marked. */
    private boolean arrived() throws VerbsException, BenchFailure {
        int count = end.completions.await(end.receiveCq);
        if (count != 1) {
            throw new BenchFailure(count + " messages where one was in flight");
        }
        boolean last = end.completions.at(0).hasImmediate();
        end.receive(0);
        return last;
    }
}
