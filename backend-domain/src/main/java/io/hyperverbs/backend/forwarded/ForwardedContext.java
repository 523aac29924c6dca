package io.hyperverbs.backend.forwarded;

import io.hyperverbs.backend.event.Signal;
import io.hyperverbs.hca.layout.Doorbell;
import io.hyperverbs.verbs.wait.WaitingPolicy;
import io.hyperverbs.vmm.envelope.ServedTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data path of one forwarded context. While a stream is bound, a pump thread reads completions
 * and sends them; it spins, yields, and then arms the queues and sleeps until the relay wakes it.
 */
@SuppressWarnings("ReferenceEquality") // A sink is that very stream, not one like it.
public final class ForwardedContext {
    private static final Logger LOG = LoggerFactory.getLogger(ForwardedContext.class);
    private static final long JOIN_MILLIS = 100;

    /** Together with {@link ForwardedCq#MAX_BATCH} it keeps a message below 64 KiB. */
    private static final int MAX_QUEUES_IN_MESSAGE = 3;

    private final int domain;
    private final String domainName;
    private final Doorbell doorbell;
    private final Signal signal = new Signal();
    private volatile ForwardedCq[] cqs = {};
    private int firstOfTurn;
    private volatile @Nullable DataSink sink;
    private volatile boolean closed;
    private @Nullable Thread pump;

    /** {@code doorbell} is of the context's UAR page, which no domain maps. */
    public ForwardedContext(int domain, String domainName, Doorbell doorbell) {
        this.domain = domain;
        this.domainName = domainName;
        this.doorbell = doorbell;
    }

    public Doorbell doorbell() {
        return doorbell;
    }

    public synchronized void add(ForwardedCq cq) {
        ForwardedCq[] more = Arrays.copyOf(cqs, cqs.length + 1);
        more[cqs.length] = cq;
        cqs = more;
        signal.raise();
    }

    public synchronized void remove(ForwardedCq cq) {
        cqs = Arrays.stream(cqs).filter(other -> other != cq).toArray(ForwardedCq[]::new);
    }

    /** Completions go to {@code to} from now on. Cheap if they do already. */
    public void bind(DataSink to) {
        if (sink != to) {
            rebind(to);
        }
    }

    /** The stream ended: completions wait for the next one. */
    public synchronized void unbind(DataSink from) {
        if (sink == from) {
            sink = null;
        }
    }

    /** There may be something to do: a post, an event, a stream that is ready again. Any thread. */
    public void wake() {
        signal.raise();
    }

    /** After it returns no ring is touched any more. */
    public void close() {
        Thread thread;
        synchronized (this) {
            closed = true;
            sink = null;
            thread = pump;
        }
        for (ForwardedCq cq : cqs) {
            cq.close();
        }
        signal.raise();
        if (thread != null) {
            try {
                thread.join(JOIN_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private synchronized void rebind(DataSink to) {
        if (closed || sink == to) {
            return;
        }
        for (ForwardedCq cq : cqs) {
            cq.rewind();
        }
        if (pump == null) {
            // First: without a thread no stream is bound, and the next message tries again.
            pump = Thread.ofPlatform()
                    .name(ServedTime.threadName("pump", domain, domainName))
                    .daemon()
                    .start(this::run);
        }
        sink = to;
        signal.raise();
    }

    private void run() {
        WaitingPolicy waiting = WaitingPolicy.wary();
        while (!closed) {
            try {
                if (doWork() > 0) {
                    waiting.reset();
                } else if (waiting.idle()) {
                    armAndSleep();
                    waiting.reset();
                }
            } catch (RuntimeException | Error e) {
                fail(e);
            }
        }
    }

    /** Its stream ends instead of going silent; without one the pump sleeps. */
    private void fail(Throwable failure) {
        LOG.error("data path of {} failed", domainName, failure);
        DataSink to = sink;
        if (to != null) {
            unbind(to);
            to.failed();
        }
    }

    /** Sends what is new; how many batches. */
    int doWork() {
        DataSink to = sink;
        if (to == null || !to.isReady()) {
            return 0;
        }
        List<CompletionBatch> batches = null;
        ForwardedCq[] queues = cqs;
        for (int i = 0; i < queues.length; i++) {
            // Another queue is first each turn, so that none starves behind busy ones.
            int turn = Integer.remainderUnsigned(firstOfTurn + i, queues.length);
            CompletionBatch batch = queues[turn].takeNew();
            if (batch != null) {
                if (batches == null) {
                    batches = new ArrayList<>();
                }
                batches.add(batch);
                if (batches.size() == MAX_QUEUES_IN_MESSAGE) {
                    break;
                }
            }
        }
        firstOfTurn++;
        if (batches == null) {
            return 0;
        }
        try {
            to.completions(batches);
        } catch (RuntimeException | Error e) {
            LOG.warn("stream of {} failed: {}", domainName, e.toString());
            unbind(to);
        }
        return batches.size();
    }

    private void armAndSleep() {
        DataSink to = sink;
        if (to == null || !to.isReady()) {
            // Neither an event nor the end of a period could change anything: the stream itself
            // wakes the pump.
            signal.await();
            return;
        }
        for (ForwardedCq cq : cqs) {
            cq.armForPump();
        }
        if (doWork() > 0) {
            return;
        }
        long nanos = nanosToPeriodEnd();
        if (nanos == Long.MAX_VALUE) {
            signal.await();
        } else {
            signal.await(nanos);
        }
    }

    private long nanosToPeriodEnd() {
        long nanos = Long.MAX_VALUE;
        for (ForwardedCq cq : cqs) {
            nanos = Math.min(nanos, cq.nanosToPeriodEnd());
        }
        return nanos;
    }
}
