package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A guest that no rank of a job is in does not get into it, even if it knows all that a rank knows. */
@RunsWhenChanged({"lab/mpi", "libibverbs", "upper/mpi"})
class JobStrangerTest {
    private static final Pattern SAID = Pattern.compile("(?m)^service (\\d+) key (-?\\d+)$");

    /** Rank 0 waits for rank 1, which says what ranks know, and begins when the stranger has tried. */
    private static final String JOB = """
        import io.hyperverbs.upper.job.JobPlace;
        import io.hyperverbs.verbs.*;
        import io.hyperverbs.verbs.cm.*;
        import java.time.Duration;
        import mpi.*;

        public final class Late {
            public static void main(String[] args) throws Exception {
                JobPlace place = JobPlace.current();
                if (place.rank() == 1) {
                    awaitStranger("service " + place.serviceId(0) + " key " + place.key());
                }
                MPI.Init(args);
                MPI.COMM_WORLD.barrier();
                System.out.println("rank " + place.rank() + " meets the other");
                MPI.Finalize();
            }

            private static void awaitStranger(String said) throws Exception {
                try (Context context = Domain.current().devices().getFirst().open()) {
                    CmChannel channel = ConnectionManager.of(context).createChannel();
                    CmListener listener = ConnectionManager.of(context).listen(channel, 77, 1);
                    System.out.println(said);
                    CmConnection caller = channel.await(Duration.ofSeconds(60)).orElseThrow().connection();
                    caller.reject(PrivateData.none());
                    caller.close();
                    listener.close();
                    channel.close();
                }
            }
        }
        """;

    /** Calls rank 0 as rank 1 would, then lets rank 1 begin. */
    private static final String STRANGER = """
        import io.hyperverbs.verbs.*;
        import io.hyperverbs.verbs.cm.*;
        import io.hyperverbs.verbs.sa.Destination;
        import java.nio.ByteBuffer;
        import java.time.Duration;

        public final class Stranger {
            private static final int PROTOCOL = 0x4d504901;

            public static void main(String[] args) throws Exception {
                try (Context context = Domain.current().devices().getFirst().open();
                        ProtectionDomain pd = context.allocatePd();
                        CompletionQueue cq = context.createCq(16, null)) {
                    ByteBuffer asRankOne = ByteBuffer.allocate(84)
                            .putInt(PROTOCOL).putLong(Long.parseLong(args[1])).putInt(1).putInt(0);
                    call(context, pd, cq, "a", Long.parseLong(args[0]), PrivateData.of(asRankOne.array()));
                    call(context, pd, cq, "b", 77, PrivateData.none());
                }
            }

            private static void call(
                    Context context, ProtectionDomain pd, CompletionQueue cq, String guest, long service, PrivateData data)
                    throws Exception {
                ConnectionManager manager = ConnectionManager.of(context);
                try (RcQueuePair qp = pd.createRc(QpLimits.of(4, 4), cq, cq);
                        CmChannel channel = manager.createChannel();
                        CmConnection connection = manager.resolve(channel, Destination.guest(guest))) {
                    connection.connect(qp, service, CmParameters.standard().withPrivateData(data));
                    CmEvent event = channel.await(Duration.ofSeconds(30)).orElseThrow();
                    System.out.println(guest + " says " + event.type() + " " + event.reject());
                }
            }
        }
        """;

    @TempDir
    static Path folder;

    @Test
    void whoIsNoRankIsRejectedByOne() throws Exception {
        Path job = Files.writeString(folder.resolve("Late.java"), JOB);
        Path stranger = Files.writeString(folder.resolve("Stranger.java"), STRANGER);
        Path topology = Files.writeString(folder.resolve("strangers.hv.yaml"), """
            apiVersion: hv/v1
            name: strangers
            guests: { a: {}, b: {}, c: {} }
            """);
        try (HvProcess hv = new HvProcess()) {
            hv.run("-t", topology.toString(), "up", "-d").expect(0);
            CompletableFuture<HvProcess.Outcome> ranks =
                    ExecutableGuests.concurrently(() -> hv.run("mpirun", "-n", "2", "--guests", "a,b", job.toString()));
            Matcher said = awaitSaid(hv, ranks);

            HvProcess.Outcome tried = hv.run("run", "--in", "c", stranger.toString(), said.group(1), said.group(2));

            assertThat(tried.expect(0).out().lines())
                    .containsExactly("a says REJECTED CONSUMER_DEFINED", "b says REJECTED CONSUMER_DEFINED");
            assertThat(ranks.get(60, TimeUnit.SECONDS).expect(0).out().lines())
                    .contains("rank 0 meets the other", "rank 1 meets the other");
        }
    }

    private static Matcher awaitSaid(HvProcess hv, CompletableFuture<HvProcess.Outcome> ranks) throws Exception {
        Instant end = Instant.now().plus(Duration.ofSeconds(60));
        while (true) {
            String log = hv.run("logs", "b").out();
            Matcher said = SAID.matcher(log);
            if (said.find()) {
                return said;
            }
            assertThat(ranks.isDone()).as("the job has ended: %s", log).isFalse();
            assertThat(Instant.now()).as(log).isBefore(end);
        }
    }
}
