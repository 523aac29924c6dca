package io.hyperverbs.upper.job.link;

import io.hyperverbs.upper.job.JobPlace;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.cm.CmChannel;
import io.hyperverbs.verbs.cm.CmConnection;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.ConnectionManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Events of the connections: first who connects, then, in a thread of its own, who is gone. {@link #gone} is for any
 * thread.
 */
public final class PeerWatch {
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private record Watched(CmConnection connection, int rank) {}

    private final JobPlace place;
    private final CmChannel channel;
    private final List<Watched> watched = new ArrayList<>();
    private volatile boolean endExpected;
    private volatile @Nullable String gone;

    /** For the connections of one program. */
    public PeerWatch(Context context, JobPlace place) throws VerbsException {
        this.place = place;
        this.channel = ConnectionManager.of(context).createChannel();
    }

    CmChannel channel() {
        return channel;
    }

    void expect(CmConnection connection, int rank) {
        watched.add(new Watched(connection, rank));
    }

    /** Begins to watch; whoever connected reads the channel no more. */
    void start() {
        Thread.ofPlatform().daemon().name("job-watch").start(this::watch);
    }

    private void watch() {
        try {
            while (!endExpected) {
                Optional<CmEvent> event = channel.await(LOOK_AGAIN);
                if (event.isPresent() && event.get().type() == CmEvent.Type.DISCONNECTED && !endExpected) {
                    note(event.get().connection());
                }
            }
        } catch (VerbsException e) {
            // The channel is closed, by the end of this rank; or the device domain is gone, and so are all.
            if (!endExpected) {
                gone = "the device domain does not answer: " + e.getMessage();
            }
        }
    }

    private void note(CmConnection connection) {
        for (Watched one : watched) {
            if (one.connection.equals(connection)) {
                gone = place.name(one.rank) + " has ended";
                return;
            }
        }
    }

    /** Who is gone, in words; null while all are there. */
    public @Nullable String gone() {
        return gone;
    }

    /** Whether others may end. */
    public boolean isEndExpected() {
        return endExpected;
    }

    /** From now on others may end. */
    public void expectEnd() {
        endExpected = true;
    }

    /** Watches no more. */
    public void close() throws VerbsException {
        channel.close();
    }
}
