package io.hyperverbs.lab.bench.echo;

import io.hyperverbs.lab.bench.BenchFailure;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.WorkCompletion;

/**
 * Sends requests on random connections, one at a time on each, at a rate. A request that is due while each connection
 * waits for a reply is sent when one has come: with more load than the server takes, the server's rate is seen. One
 * thread.
 */
final class EchoClient {
    private static final double NANOS = 1e9;
    private static final long SEED = 2001;

    private final EchoEnd end;
    private final FreeConnections free;
    private long replies;

    EchoClient(EchoEnd end, int connections) {
        this.end = end;
        this.free = new FreeConnections(connections, SEED);
    }

    /**
     * Offers a load, then waits for what is under way, and ends the server's call.
     *
     * @param perSecond requests, equally far apart
     * @param lastsNanos how long they are sent and replies are counted
     * @return {@code <replies> <nanoseconds>}
     */
    String call(double perSecond, long lastsNanos) throws VerbsException, BenchFailure {
        replies = 0;
        double apartNanos = NANOS / perSecond;
        long beganNanos = System.nanoTime();
        double dueNanos = 0;
        long sinceNanos = 0;
        while (sinceNanos < lastsNanos) {
            int taken = take();
            if (sinceNanos >= dueNanos && !free.isEmpty()) {
                end.send(free.take());
                dueNanos += apartNanos;
            } else if (taken == 0) {
                end.idle();
            }
            sinceNanos = System.nanoTime() - beganNanos;
        }
        long counted = replies;
        while (!free.areAll()) {
            if (take() == 0) {
                end.idle();
            }
        }
        end.sendLast(0);
        return counted + " " + sinceNanos;
    }

    private int take() throws BenchFailure {
        int count = end.take();
        for (int i = 0; i < count; i++) {
            WorkCompletion completion = end.at(i);
            if (completion.opcode() == WorkCompletion.Opcode.RECV) {
                int connection = (int) completion.wrId();
                end.receive(connection);
                free.free(connection);
                replies++;
            }
        }
        return count;
    }
}
