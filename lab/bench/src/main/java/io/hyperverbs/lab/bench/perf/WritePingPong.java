package io.hyperverbs.lab.bench.perf;

import io.hyperverbs.lab.bench.BenchFailure;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.WorkCompletion;
import io.hyperverbs.verbs.wait.WaitingPolicy;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * RDMA writes to and fro. Nobody completes a receive: each side polls the last byte of its buffer, where the peer's
 * message has a number from 1 to 127, with the high bit in the active side's last message.
 */
final class WritePingPong implements LatencyRun.Exchange {
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();
    private static final int NUMBERS = 127;
    private static final int LAST = 0x80;

    private final PerfEnd end;
    private final MemorySegment memory;
    private final SignalledSends writes;
    private final WaitingPolicy waiting = WaitingPolicy.yielding();
    private final Patience patience = new Patience();
    private final long sentByte;
    private final long landedByte;
    private int number;

    WritePingPong(PerfEnd end) {
        this.end = end;
        this.memory = end.memory;
        this.writes = new SignalledSends(end);
        this.sentByte = end.round.sizeBytes() - 1L;
        this.landedByte = end.landingOffset() + sentByte;
    }

    @Override
    public void once(boolean last) throws VerbsException, BenchFailure {
        number = number % NUMBERS + 1;
        write(last ? number | LAST : number);
        boolean _ = awaitNumber();
        writes.drain();
    }

    @Override
    public void answerAll() throws VerbsException, BenchFailure {
        boolean last = false;
        while (!last) {
            number = number % NUMBERS + 1;
            last = awaitNumber();
            write(number);
            writes.drain();
        }
    }

    private void write(int mark) throws BenchFailure {
        memory.set(ValueLayout.JAVA_BYTE, sentByte, (byte) mark);
        writes.post(0);
    }

    /** Waits for the peer's message of this number; returns whether it is marked as the last one. */
    private boolean awaitNumber() throws BenchFailure {
        while (true) {
            int found = (byte) BYTE.getAcquire(memory, landedByte) & 0xff;
            if ((found & ~LAST) == number) {
                waiting.reset();
                patience.reset();
                return found != number;
            }
            waiting.idle();
            if (patience.isOver()) {
                throw new BenchFailure("no write came within 20 s" + why());
            }
        }
    }

    /** A write that failed is the last one that completes. */
    private String why() {
        WorkCompletion[] one = {new WorkCompletion()};
        return end.sendCq.poll(one) == 0 ? "" : ": " + one[0].explain();
    }
}
