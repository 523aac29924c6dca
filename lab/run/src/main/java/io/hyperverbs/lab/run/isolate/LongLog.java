package io.hyperverbs.lab.run.isolate;

import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.catalogue.Isolation;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a long run has done, line by line in JSON, so that one that was broken off can go on: the
 * plan first, then attacks and kills as they end. A last line that is not whole is dropped.
 */
public final class LongLog {
    /** What makes two runs parts of one. */
    public record Plan(long seed, int seeds, long durationMillis) {
        /** Of attacks that have no end. */
        public Duration duration() {
            return Duration.ofMillis(durationMillis);
        }
    }

    /** An attack made with the dice of {@code seed}. */
    private record Done(String attack, long seed) {}

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Path file;
    private final Plan plan;
    private final Set<Done> done = new HashSet<>();
    private int kills;

    private LongLog(Path file, Plan plan) {
        this.file = file;
        this.plan = plan;
    }

    /** Begins anew. */
    public static LongLog begin(Path file, Plan plan) throws IOException {
        ObjectNode line = JSON.createObjectNode();
        line.put("seed", plan.seed).put("seeds", plan.seeds);
        line.put("duration_millis", plan.durationMillis);
        Files.writeString(file, line + "\n");
        return new LongLog(file, plan);
    }

    /**
     * Goes on with a run that was broken off.
     *
     * @param report hears of everything in it
     * @throws HvException NOT_FOUND if there is none, CONFLICT if it is no such file
     */
    public static LongLog resume(Path file, LongReport report) throws HvException, IOException {
        if (!Files.exists(file)) {
            throw new HvException(ExitCode.NOT_FOUND, "no run to go on with: " + file, "leave out --resume");
        }
        List<String> lines = Files.readAllLines(file);
        try {
            JsonNode head = JSON.readTree(lines.isEmpty() ? "" : lines.getFirst());
            LongLog log = new LongLog(
                    file,
                    new Plan(
                            head.required("seed").asLong(),
                            head.required("seeds").asInt(),
                            head.required("duration_millis").asLong()));
            for (int i = 1; i < lines.size(); i++) {
                if (!log.take(lines.get(i), report, i == lines.size() - 1)) {
                    // What follows begins a line of its own.
                    Files.writeString(file, String.join("\n", lines.subList(0, i)) + "\n");
                }
            }
            return log;
        } catch (JacksonException | IllegalArgumentException e) {
            throw new HvException(
                    ExitCode.CONFLICT, file + " is not the log of a long run: " + e.getMessage(), "leave out --resume");
        }
    }

    /** False for a last line that is torn. */
    private boolean take(String line, LongReport report, boolean last) throws IOException {
        JsonNode node;
        try {
            node = JSON.readTree(line);
        } catch (JacksonException torn) {
            if (last) {
                return false;
            }
            throw torn;
        }
        if (node.has("kill_millis")) {
            kills++;
            report.killed(node.get("kill_millis").asLong());
            return true;
        }
        String name = node.required("case").asString();
        long seed = node.required("seed").asLong();
        List<IsolationCase> known = Isolation.cases(List.of(name));
        if (known.size() != 1) {
            throw new IllegalArgumentException("no attack is called " + name);
        }
        done.add(new Done(name, seed));
        report.add(
                new IsolationResult(
                        known.getFirst(),
                        IsolationResult.Verdict.valueOf(node.required("verdict").asString()),
                        node.required("observed").asString(),
                        node.required("trace").asString()),
                seed);
        return true;
    }

    public Plan plan() {
        return plan;
    }

    /** Whether that attack has been made with the dice of {@code seed}. */
    boolean has(IsolationCase attack, long seed) {
        return done.contains(new Done(attack.name(), seed));
    }

    /** Guests killed so far. */
    int kills() {
        return kills;
    }

    void add(IsolationResult result, long seed) throws IOException {
        ObjectNode line = JSON.createObjectNode();
        line.put("case", result.attack().name()).put("seed", seed);
        line.put("verdict", result.verdict().name()).put("observed", result.observed());
        line.put("trace", result.trace());
        append(line);
    }

    void killed(long millis) throws IOException {
        append(JSON.createObjectNode().put("kill_millis", millis));
    }

    private void append(ObjectNode line) throws IOException {
        Files.writeString(file, line + "\n", StandardOpenOption.APPEND);
    }
}
