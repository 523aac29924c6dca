package io.hyperverbs.upper.mpi.match;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Optional;
import java.util.Queue;

/**
 * Receives that wait for a message, and messages that wait for a receive (the list of Bertozzi 2000 §4.3). A message goes
 * to the receive that was posted first of those that take it, and a receive gets the message that arrived first. As
 * those of one sender arrive in the order in which they were sent, they do not overtake each other (MPI 3.1 §3.5). At no
 * time a receive and a message that it takes wait both. One thread.
 *
 * @param <R> a receive
 * @param <M> a message that has arrived
 */
public final class Matching<R, M> {
    private record Waiting<T>(ReceivePattern pattern, T receive) {}

    private record Arrived<T>(Envelope envelope, T message) {}

    /** A message with what it is matched by. */
    public record Found<M>(Envelope envelope, M message) {}

    // What is taken is near the beginning most often, where removing is cheap.
    private final Queue<Waiting<R>> receives = new ArrayDeque<>();
    private final Queue<Arrived<M>> messages = new ArrayDeque<>();

    /** The receive that takes an arriving message, which does not wait any more. Empty: the message is to be added. */
    public Optional<R> receiveFor(Envelope envelope) {
        for (Iterator<Waiting<R>> all = receives.iterator(); all.hasNext(); ) {
            Waiting<R> one = all.next();
            if (one.pattern.takes(envelope)) {
                all.remove();
                return Optional.of(one.receive);
            }
        }
        return Optional.empty();
    }

    /** Lets a message wait that no receive takes. */
    public void addMessage(Envelope envelope, M message) {
        messages.add(new Arrived<>(envelope, message));
    }

    /** The message for a new receive, which does not wait any more. Empty: the receive is to be added. */
    public Optional<Found<M>> messageFor(ReceivePattern pattern) {
        for (Iterator<Arrived<M>> all = messages.iterator(); all.hasNext(); ) {
            Arrived<M> one = all.next();
            if (pattern.takes(one.envelope)) {
                all.remove();
                return Optional.of(new Found<>(one.envelope, one.message));
            }
        }
        return Optional.empty();
    }

    /** Lets a receive wait for which there is no message. */
    public void addReceive(ReceivePattern pattern, R receive) {
        receives.add(new Waiting<>(pattern, receive));
    }

    /** What a receive would get now; it goes on waiting. */
    public Optional<Envelope> peek(ReceivePattern pattern) {
        return messages.stream().map(Arrived::envelope).filter(pattern::takes).findFirst();
    }

    /** Messages that wait. */
    public int messages() {
        return messages.size();
    }

    /** Receives that wait. */
    public int receives() {
        return receives.size();
    }
}
