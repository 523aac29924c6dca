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
    private final boolean timed;
    private final WaitingPolicy waiting = WaitingPolicy.yielding();

    /**
     * @param others points to meet each other domain of the row at
     * @param timed whether each message is timed
     */
    PatternStreams(List<Link> links, List<PerfPoints> others, boolean timed) {
        this.timed = timed;
        this.links = List.copyOf(links);
        this.others = List.copyOf(others);
        this.receives = links.stream().anyMatch(link -> link.end.round.receives());
    }

    /**
     * Sends and receives all.
     *
     * @return {@link PerfStream#figures} of each link that sends, in their order; where messages are timed, their {@link
     *     TimeCounts} after each
     */
    String run() throws VerbsException, BenchFailure {
        List<PerfStream> warmUps = stream(links.getFirst().end.round.warmUpMillis(), List.of());
        for (PerfPoints other : others) {
            other.say(BEGIN, "1");
        }
        for (PerfPoints other : others) {
            String _ = serveUntil(other, BEGIN);
        }
        List<TimeCounts> times = new ArrayList<>();
        if (timed) {
            links.stream().filter(Link::sends).forEach(_ -> times.add(new TimeCounts()));
        }
        List<PerfStream> streams = stream(links.getFirst().end.round.seconds() * 1_000L, times);
        StringJoiner figures = new StringJoiner(" ");
        int at = 0;
        for (Link link : links) {
            if (link.sends()) {
                long sent = warmUps.get(at).posted() + streams.get(at).posted();
                link.points.say(SENT, Long.toString(sent));
                figures.add(streams.get(at).figures());
                if (timed) {
                    figures.add(times.get(at).format());
                }
                at++;
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

    /**
     * One stream for each link that sends; none is timed by {@code millis} 0.
     *
     * @param times for each of them; empty if messages are not timed
     */
    private List<PerfStream> stream(long millis, List<TimeCounts> times) throws VerbsException, BenchFailure {
        List<PerfStream> streams = new ArrayList<>();
        for (Link link : links) {
            if (link.sends()) {
                TimeCounts counts = times.isEmpty() ? null : times.get(streams.size());
                streams.add(new PerfStream(link.end, this::serve, 0, millis, counts));
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
