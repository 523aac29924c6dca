package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.LogTail;
import io.hyperverbs.launcher.machine.Program;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.machine.ShutdownHooks;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.upper.job.launch.RankProgram;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.MachineException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A Java program with several ranks, in guests or native domains that are there. It ends when all ranks have ended; the
 * first that fails, or whose guest has ended, ends the others too, as does who ends hv. One thread, and a shutdown
 * hook.
 */
final class JavaJob {
    private static final long LOOK_MILLIS = 50;

    /** Ranks that miss another may be heard before it: this long its own end, or its guest's, is waited for. */
    private static final Duration CAUSE_IS_LATE = Duration.ofSeconds(1);

    /** A rank that waits for others ends at once; one that computes is left to its guest. */
    private static final Duration CANCELLED_END = Duration.ofSeconds(5);

    private final CommandContext context;
    private final RunningMachine machine;
    private final RankPlaces places;
    private final boolean raw;
    private final Supplier<OutputStream> out;

    /** Those that run, by rank; the hook looks at them too. */
    private final Map<Integer, ProgramKeys.Submitted> running = new LinkedHashMap<>();

    JavaJob(CommandContext context, RunningMachine machine, RankPlaces places, boolean raw) {
        this(context, machine, places, raw, () -> context.guestOut(raw));
    }

    /** @param out where the ranks' standard output goes, asked for each guest and closed at the end */
    JavaJob(
            CommandContext context,
            RunningMachine machine,
            RankPlaces places,
            boolean raw,
            Supplier<OutputStream> out) {
        this.out = out;
        this.context = context;
        this.machine = machine;
        this.places = places;
        this.raw = raw;
    }

    /**
     * Runs it.
     *
     * @param program the user's, with the library of MPI among its files
     * @return 0, or the exit code of the rank that failed first
     * @throws HvException TIMEOUT; FAILURE if a guest has ended
     */
    int run(Program program) throws HvException, IOException, InterruptedException {
        Thread hook = new Thread(this::cancel, "cancel-ranks");
        Runtime.getRuntime().addShutdownHook(hook);
        List<Tail> tails = new ArrayList<>();
        try {
            for (String guest : places.byGuest().keySet()) {
                tails.add(tail(guest));
            }
            submit(program);
            return follow(tails);
        } finally {
            end(tails);
            ShutdownHooks.remove(hook);
        }
    }

    /** What a guest prints, from now on. */
    private record Tail(LogTail log, OutputStream out, OutputStream err) {
        long copy() throws IOException {
            return log.copy(out, err);
        }
    }

    private Tail tail(String guest) throws IOException {
        Path log = machine.folder().log(guest);
        return new Tail(
                new LogTail(log, Files.exists(log) ? Files.size(log) : 0),
                new LineStream(out.get()),
                new LineStream(context.guestErr(raw)));
    }

    private void submit(Program program) throws HvException, IOException {
        byte[] key = new byte[Long.BYTES];
        new SecureRandom().nextBytes(key);
        String job = HexFormat.of().formatHex(key);
        for (Map.Entry<String, List<Integer>> guest : places.byGuest().entrySet()) {
            ExecIn exec = new ExecIn(context, machine, guest.getKey(), raw);
            String classPath = exec.put(program.files());
            for (int rank : guest.getValue()) {
                List<String> lines = new ArrayList<>(List.of(classPath, RankProgram.class.getName()));
                lines.addAll(List.of(job, Integer.toString(rank), String.join(",", places.guests())));
                lines.add(program.mainClass());
                lines.addAll(program.args());
                add(rank, exec.submit(lines));
            }
        }
    }

    private synchronized void add(int rank, ProgramKeys.Submitted submitted) {
        running.put(rank, submitted);
    }

    private int follow(List<Tail> tails) throws HvException, IOException, InterruptedException {
        long endNanos = System.nanoTime()
                + context.options().timeoutOr(Duration.ofDays(365)).toNanos();
        Optional<Failed> missing = Optional.empty();
        long causeNanos = Long.MAX_VALUE;
        while (!running.isEmpty()) {
            // Ranks that answered before their guest ended are not lost with it.
            Optional<Failed> failed = endedRanks();
            checkGuests();
            copy(tails);
            if (failed.isPresent()) {
                missing = failed;
                boolean isCause = failed.get().code != RankProgram.PEER_IS_GONE;
                causeNanos =
                        isCause ? System.nanoTime() : Math.min(causeNanos, System.nanoTime() + CAUSE_IS_LATE.toNanos());
            }
            if (missing.isPresent() && System.nanoTime() - causeNanos >= 0) {
                return failed(missing.get());
            }
            if (System.nanoTime() - endNanos > 0) {
                throw new HvException(ExitCode.TIMEOUT, "the ranks ran too long", "see --timeout");
            }
            Thread.sleep(LOOK_MILLIS);
        }
        return missing.isPresent() ? failed(missing.get()) : 0;
    }

    private int failed(Failed rank) {
        context.note("rank " + rank.rank + " in " + places.guests().get(rank.rank) + " ended with exit code "
                + rank.code + (places.guests().size() > 1 ? ", the other ranks are stopped" : ""));
        return rank.code;
    }

    private static void copy(List<Tail> tails) throws IOException {
        for (Tail tail : tails) {
            tail.copy();
        }
    }

    /** A rank that did not end with 0. */
    private record Failed(int rank, int code) {}

    /** Looks which ranks have ended; one of those that failed, if it can be one that did not only miss another. */
    private synchronized Optional<Failed> endedRanks() throws HvException {
        Optional<Failed> failed = Optional.empty();
        for (Map.Entry<Integer, ProgramKeys.Submitted> one : new LinkedHashMap<>(running).entrySet()) {
            int rank = one.getKey();
            Optional<String> answer = one.getValue().exitCode();
            if (answer.isEmpty()) {
                continue;
            }
            running.remove(rank);
            one.getValue().forget();
            int code = ExecIn.exitCode(places.guests().get(rank), answer.get());
            boolean isCause = code != RankProgram.PEER_IS_GONE;
            if (code != 0 && (failed.isEmpty() || isCause)) {
                failed = Optional.of(new Failed(rank, code));
            }
        }
        return failed;
    }

    /** What a guest was ended by takes its ranks with it, which then answer nothing. */
    private void checkGuests() throws HvException {
        List<DomainReport> domains;
        try {
            domains = machine.client().status().domains();
        } catch (MachineException e) {
            throw new HvException(ExitCode.FAILURE, "the machine is gone: " + e.getMessage(), "");
        }
        for (Map.Entry<String, List<Integer>> guest : places.byGuest().entrySet()) {
            boolean ended = domains.stream()
                    .noneMatch(domain -> domain.name().equals(guest.getKey())
                            && !domain.state().ended());
            List<Integer> lost =
                    guest.getValue().stream().filter(running::containsKey).toList();
            if (ended && !lost.isEmpty()) {
                throw new HvException(
                        ExitCode.FAILURE,
                        "guest " + guest.getKey() + " has ended with "
                                + (lost.size() == 1 ? "rank " : "ranks ")
                                + lost.stream().map(String::valueOf).collect(Collectors.joining(", "))
                                + ", the other ranks are stopped",
                        "hv logs " + guest.getKey() + " shows its end");
            }
        }
    }

    /** Asks all that run to end. */
    private synchronized void cancel() {
        running.values().forEach(ProgramKeys.Submitted::cancel);
    }

    /** Ends what still runs, and shows the rest of what was printed. */
    private void end(List<Tail> tails) throws IOException {
        cancel();
        long endNanos = System.nanoTime() + CANCELLED_END.toNanos();
        for (Map.Entry<Integer, ProgramKeys.Submitted> rank : running.entrySet()) {
            Duration left = Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
            if (!hasEnded(rank.getKey()) && !rank.getValue().awaitEnd(left)) {
                context.note("rank " + rank.getKey() + " in " + places.guests().get(rank.getKey())
                        + " goes on, as it does not wait for others");
            }
        }
        for (String guest : places.byGuest().keySet()) {
            DomainWatch.awaitOutput(context, machine, guest);
        }
        for (Tail tail : tails) {
            tail.copy();
            tail.out.close();
            tail.err.close();
        }
    }

    private boolean hasEnded(int rank) {
        return DomainWatch.hasEnded(machine, places.guests().get(rank));
    }
}
