package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.run.LabPrograms;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Problem;
import io.hyperverbs.launcher.machine.Installation;
import io.hyperverbs.launcher.machine.StateRoot;
import io.hyperverbs.launcher.node.NodeAgent;
import io.hyperverbs.launcher.node.NodeOrder;
import io.hyperverbs.launcher.output.Json;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.posix.ProcessAttributes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code hv node}: what runs on each host of a topology. Reads what to start on standard input or in a file, prints one line
 * of JSON, {@code {"ready":{"port":N}}} or {@code {"error":{...}}}, and ends with its machine.
 */
@Command(
        name = "node",
        hidden = true,
        description =
                "Starts a host's part of a topology and answers its operator; hv up runs it on each host, and so do"
                        + " pods.")
public final class NodeCommand extends HvCommand {
    private static final String RUNTIME = "XDG_RUNTIME_DIR";
    private static final int MAX_PORT = 65535;

    @Option(
            names = "--bundle",
            paramLabel = "FILE",
            description =
                    "What to start, as hv export writes it, instead of standard input. The node waits for no other"
                            + " host, and SIGTERM ends it with 0.")
    @Nullable
    Path bundle;

    @Option(names = "--port", paramLabel = "N", description = "TCP port to listen on; with --bundle.")
    @Nullable
    Integer port;

    public NodeCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws HvException, IOException, InterruptedException {
        ProcessAttributes.closeNewFiles();
        Map<String, String> environment = environment();
        StateRoot root = StateRoot.of(environment);
        NodeAgent agent = new NodeAgent(Installation.current(), root, HostedLaunch.script(), environment);
        AtomicBoolean up = new AtomicBoolean();
        try {
            agent.serve(
                    order(),
                    listening -> {
                        up.set(true);
                        ObjectNode ready = Json.object();
                        ready.putObject("ready").put("port", listening);
                        say(ready);
                    },
                    new LabPrograms());
            return 0;
        } catch (HvException e) {
            if (!up.get()) {
                Problem first = e.problems().getFirst();
                ObjectNode error = Json.object();
                error.putObject("error")
                        .put("exit", e.exit().number())
                        .put("message", new Problem(first.file(), first.line(), "", first.what(), "").text())
                        .put("hint", first.hint());
                say(error);
            }
            throw e;
        }
    }

    private NodeOrder order() throws HvException, IOException {
        if (bundle == null && port == null) {
            return NodeOrder.from(System.in);
        }
        if (bundle == null || port == null || port < 1 || port > MAX_PORT) {
            throw new HvException(ExitCode.USAGE, "--bundle FILE and --port N go together", "N is 1 to " + MAX_PORT);
        }
        return NodeOrder.from(bundle, port);
    }

    private void say(ObjectNode line) {
        context().environment().out().println(Json.line(line));
        context().environment().out().flush();
    }

    /** A login or a Slurm task may bring the name of a runtime folder that is another computer's. */
    private Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>(context().environment().environment());
        String runtime = environment.getOrDefault(RUNTIME, "");
        if (!runtime.isEmpty() && !Files.isDirectory(Path.of(runtime))) {
            environment.put(RUNTIME, "");
        }
        return environment;
    }
}
