package io.hyperverbs.lab.bench.echo;

import io.hyperverbs.lab.bench.BenchFailure;
import io.hyperverbs.lab.bench.CommandLoop;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.VerbsException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * A domain of the figure {@code cq-server} of {@code hv bench suite}: connects to its peer on each data path once, and
 * then takes commands ({@link CommandLoop}):
 *
 * <ul>
 *   <li>{@code serve PATH}, answered by {@code ok <requests>} when the client has ended its call;
 *   <li>{@code call PATH PER_SECOND MILLIS}, answered by {@code ok <replies> <nanos>}.
 * </ul>
 */
public final class EchoProgram {
    /** One request is under way on each. */
    public static final int CONNECTIONS = 64;

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Map<DataPathKind, EchoEnd> ends = new EnumMap<>(DataPathKind.class);

    private EchoProgram() {}

    /** @param args the peer's name, then data paths */
    public static void main(String[] args) throws VerbsException, BenchFailure {
        Domain domain = Domain.current();
        EchoProgram program = new EchoProgram();
        for (int i = 1; i < args.length; i++) {
            program.connect(domain, args[0], DataPathKind.valueOf(args[i]));
        }
        new CommandLoop(domain).run((_, line) -> program.answer(line.split(" ", -1)));
        for (EchoEnd end : program.ends.values()) {
            end.close();
        }
    }

    private void connect(Domain domain, String peer, DataPathKind path) throws VerbsException, BenchFailure {
        EchoEnd end = new EchoEnd(domain, path, CONNECTIONS);
        ends.put(path, end);
        String key = "echo/" + path;
        domain.store().write(key, end.ends());
        end.connect(domain.store().await(peer, key, PATIENCE));
    }

    private String answer(String[] words) throws VerbsException, BenchFailure {
        EchoEnd end = ends.get(DataPathKind.valueOf(words[1]));
        if (end == null) {
            throw new BenchFailure("data path " + words[1] + " was not opened");
        }
        if (words[0].equals("serve")) {
            return "ok " + new EchoServer(end).serve();
        }
        long lastsNanos = Long.parseLong(words[3]) * 1_000_000;
        return "ok " + new EchoClient(end, CONNECTIONS).call(Double.parseDouble(words[2]), lastsNanos);
    }
}
