package io.hyperverbs.lab.bench.perf;

import io.hyperverbs.lab.bench.BenchFailure;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.wait.WaitingPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * All links of a domain at once: keeps the send queues of those that send full, and posts the receives of those that
 * receive again. All domains of the row begin to be timed together. One thread.
 */
final class PatternStreams {
    private static final String BEGIN = "begin";
    private static final String SENT = "sent";
    private static final String OVER = "over";
    private static final long LOOK_NANOS = 5_000_000;

    /** @param run serves the receives of the link */
    record Link(PerfEnd end, PerfPoints points, BandwidthRun run) {
        boolean sends() {
            return end.round.active();
        }
    }

    private final List<Link> links;
    private final List<PerfPoints> others;
    private final boolean receives;
    private final WaitingPolicy waiting = WaitingPolicy.yielding();

    /** @param others points to meet each other domain of the row at */
    PatternStreams(List<Link> links, List<PerfPoints> others) {
        this.links = List.copyOf(links);
        this.others = List.copyOf(others);
        this.receives = links.stream().anyMatch(link -> link.end.round.receives());
    }

    /**
     * Sends and receives all.
     *
     * @return {@code <messages> <nanos>} of each link that sends, in their order
     */
    String run() throws VerbsException, BenchFailure {
        List<PerfStream> warmUps = stream(links.getFirst().end.round.warmUpMillis());
        for (PerfPoints other : others) {
            other.say(BEGIN, "1");
        }
        for (PerfPoints other : others) {
            String _ = serveUntil(other, BEGIN);
        }
        List<PerfStream> timed = stream(links.getFirst().end.round.seconds() * 1_000L);
        StringJoiner figures = new StringJoiner(" ");
        int at = 0;
        for (Link link : links) {
            if (link.sends()) {
                long sent = warmUps.get(at).posted() + timed.get(at).posted();
                link.points.say(SENT, Long.toString(sent));
                figures.add(timed.get(at++).figures());
            }
        }
        for (Link link : links) {
            if (!link.sends()) {
                finish(link, Long.parseLong(serveUntil(link.points, SENT)));
            }
        }
        for (Link link : links) {
            link.points.say(OVER, "1");
        }
        for (Link link : links) {
            String _ = serveUntil(link.points, OVER);
        }
        return figures.toString();
    }

    /** A reliable connection loses none. */
    private static void finish(Link link, long sent) throws VerbsException, BenchFailure {
        if (link.end.round.receives() && link.run.dropped(sent) != 0) {
            throw new BenchFailure("messages of a reliable connection were dropped");
        }
    }

    /** One stream for each link that sends; none is timed by {@code millis} 0. */
    private List<PerfStream> stream(long millis) throws VerbsException, BenchFailure {
        List<PerfStream> streams = new ArrayList<>();
        for (Link link : links) {
            if (link.sends()) {
                streams.add(new PerfStream(link.end, this::serve, 0, millis));
            }
        }
        for (PerfStream stream : streams) {
            stream.begin();
        }
        boolean open = !streams.isEmpty();
        while (open) {
            open = false;
            int done = serve();
            for (PerfStream stream : streams) {
                if (stream.isOpen()) {
                    open = true;
                    done += stream.turn();
                }
            }
            if (done == 0) {
                links.getFirst().end.completions.idle();
            }
        }
        for (PerfStream stream : streams) {
            stream.drain();
        }
        return streams;
    }

    /** Takes the receives of all links that have completed, and posts others. */
    private int serve() throws BenchFailure {
        int done = 0;
        for (Link link : links) {
            done += link.run.serve();
        }
        return done;
    }

    /** Waits for a word while others may still send; sleeps where nobody sends anything that takes a receive. */
    private String serveUntil(PerfPoints points, String word) throws VerbsException, BenchFailure {
        if (!receives) {
            return points.await(word);
        }
        long lookNanos = System.nanoTime();
        while (true) {
            if (serve() > 0) {
                waiting.reset();
                continue;
            }
            if (System.nanoTime() - lookNanos >= 0) {
                Optional<String> said = points.lookUnlessFailed(word);
                if (said.isPresent()) {
                    return said.get();
                }
                lookNanos = System.nanoTime() + LOOK_NANOS;
            }
            boolean _ = waiting.idle();
        }
    }
}
