package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.run.LabPrograms;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Problem;
import io.hyperverbs.launcher.machine.Installation;
import io.hyperverbs.launcher.machine.StateRoot;
import io.hyperverbs.launcher.node.NodeAgent;
import io.hyperverbs.launcher.output.Json;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.posix.ProcessAttributes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code hv node}: what {@code hv up} runs on each host of a topology. Reads what to start on standard input, prints one line
 * of JSON, {@code {"ready":{"port":N}}} or {@code {"error":{...}}}, and ends with its machine.
 */
@Command(
        name = "node",
        hidden = true,
        description = "Starts a host's part of a topology and answers its operator; hv up runs it on each host.")
public final class NodeCommand extends HvCommand {
    private static final String RUNTIME = "XDG_RUNTIME_DIR";

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
                    System.in,
                    port -> {
                        up.set(true);
                        ObjectNode ready = Json.object();
                        ready.putObject("ready").put("port", port);
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
