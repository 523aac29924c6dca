package io.hyperverbs.lab.run.ip;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * One thing that is measured on each path.
 *
 * @param kind what is measured
 * @param sizeBytes of a message or a write
 */
public record IpCell(Kind kind, int sizeBytes) {
    /** What is measured. */
    public enum Kind {
        HALF_ROUND_TRIP("half trip, us"),
        STREAM("stream, MiB/s");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    private static final int TRIPS = 500;
    private static final long STREAM_NANOS = 400_000_000;

    /** Both kinds with these sizes. */
    public static List<IpCell> of(List<Integer> sizesBytes) {
        List<IpCell> cells = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            sizesBytes.forEach(size -> cells.add(new IpCell(kind, size)));
        }
        return cells;
    }

    /** Measures it between these two, over a connection of its own. */
    public double measure(IpPair pair) throws IOException {
        try (IpSockets sockets = IpSockets.connect(pair)) {
            return measure(sockets);
        }
    }

    private double measure(IpSockets sockets) throws IOException {
        return switch (kind) {
            case HALF_ROUND_TRIP -> sockets.halfRoundTrip(sizeBytes, TRIPS);
            case STREAM -> sockets.stream(sizeBytes, STREAM_NANOS);
        };
    }
}
