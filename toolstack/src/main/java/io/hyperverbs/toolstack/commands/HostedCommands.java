package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Suggestion;
import io.hyperverbs.launcher.hosts.HostClient;
import io.hyperverbs.launcher.hosts.HostPlace;
import io.hyperverbs.launcher.hosts.HostUnreachable;
import io.hyperverbs.launcher.hosts.HostedTopology;
import io.hyperverbs.launcher.hosts.HostedTopology.Answer;
import io.hyperverbs.launcher.node.ProgramFiles;
import io.hyperverbs.launcher.node.wire.CommandLine;
import io.hyperverbs.launcher.output.Json;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.text.VisibleText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ParseResult;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Commands about a topology over several hosts: each host runs the command about its machine. What is about one domain is
 * asked of its host alone, and passed on as it comes; the rest of all hosts, side by side.
 */
public final class HostedCommands {
    /** Those that hosts run as they are. */
    private static final List<String> COMMANDS =
            List.of("inspect", "logs", "run", "devinfo", "rdma", "trace", "journal", "port", "link");

    static final Duration QUICK = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofDays(365);

    private final CommandContext context;
    private final HostedTopology topology;

    HostedCommands(CommandContext context, HostedTopology topology) {
        this.context = context;
        this.topology = topology;
    }

    /**
     * Runs a command on hosts, if it is about a topology that is there.
     *
     * @return its exit code; empty for a command about this computer
     */
    public static Optional<Integer> run(CommandContext context, ParseResult parsed)
            throws HvException, IOException, InterruptedException {
        if (!parsed.hasSubcommand()) {
            return Optional.empty();
        }
        ParseResult last = parsed;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        String name = parsed.subcommand().commandSpec().name();
        if (last.isUsageHelpRequested() || !COMMANDS.contains(name)) {
            return Optional.empty();
        }
        Optional<HostedTopology> hosted = new Machines(context).hosted();
        if (hosted.isEmpty()) {
            return Optional.empty();
        }
        HvCommand command = (HvCommand) last.commandSpec().userObject();
        return Optional.of(new HostedCommands(context, hosted.get()).run(name, command, parsed.originalArgs()));
    }

    private int run(String name, HvCommand command, List<String> args)
            throws HvException, IOException, InterruptedException {
        CommandLine.Builder line = CommandLine.newBuilder().addAllWords(HostWords.of(name, args, context.options()));
        if (command instanceof RunCommand run) {
            ship(run, line);
        }
        if (command instanceof TraceCommand trace && trace.file != null) {
            throw new HvException(
                    ExitCode.USAGE,
                    "-o with " + topology.name() + ", which is on several hosts",
                    "redirect standard output");
        }
        String subject = command.subject();
        String host = context.options().host();
        if (host != null) {
            return passOn(host(host), line.build());
        }
        if (!subject.isEmpty()) {
            return passOn(hostOf(subject), line.build());
        }
        if (command instanceof LinkCommand link) {
            return new HostedLinks(context, topology, this).run(link);
        }
        if (command instanceof RunCommand) {
            throw new HvException(
                    ExitCode.USAGE,
                    topology.name() + " is on several hosts",
                    "--in names the guest to run it in, -d the device of a new one");
        }
        return collect(
                topology.runOn(topology.hosts(), line.build(), context.options().timeoutOr(QUICK)));
    }

    /** A program in a file goes with the command. */
    private void ship(RunCommand run, CommandLine.Builder line) throws HvException, IOException {
        if (!run.program.endsWith(".java") && !run.program.endsWith(".jar")) {
            return;
        }
        Path file = context.path(run.program);
        if (!Files.isRegularFile(file)) {
            throw new HvException(ExitCode.NOT_FOUND, "no file " + run.program, "");
        }
        String name = String.valueOf(file.getFileName());
        line.setWords(line.getWordsCount() - run.args.size() - 1, name);
        line.addAllFiles(ProgramFiles.pack(file, name));
    }

    private HostPlace host(String name) throws HvException {
        List<String> names = topology.hosts().stream().map(HostPlace::name).toList();
        return topology.hosts().stream()
                .filter(host -> host.name().equals(name))
                .findFirst()
                .orElseThrow(() -> {
                    return new HvException(
                            ExitCode.NOT_FOUND,
                            "no host " + name + " in " + topology.name(),
                            Suggestion.hintOrAll(name, names));
                });
    }

    /** Domains that were started later are known to their hosts alone. */
    private HostPlace hostOf(String domain) throws HvException, InterruptedException {
        Optional<HostPlace> known = topology.hostOf(domain);
        if (known.isPresent()) {
            return known.get();
        }
        List<PsRow> rows = new ArrayList<>();
        int _ = addRows(rows);
        for (PsRow row : rows) {
            if (row.name().equals(domain) && row.host() != null) {
                return host(row.host());
            }
        }
        List<String> names = rows.stream().map(PsRow::name).toList();
        throw new HvException(
                ExitCode.NOT_FOUND,
                "no domain " + domain + " in " + topology.name(),
                Suggestion.hintOrAll(domain, names));
    }

    private int passOn(HostPlace host, CommandLine line) throws HvException, IOException {
        boolean raw = line.getWordsList().contains("--raw");
        try (HostClient client = topology.client(host);
                OutputStream out = context.guestOut(raw);
                OutputStream err = context.guestErr(raw)) {
            return client.run(line, context.options().timeoutOr(LONG), out, err);
        } catch (HostUnreachable e) {
            throw new HvException(ExitCode.FAILURE, String.valueOf(e.getMessage()), "hv ps shows the other hosts");
        }
    }

    /** Prints what all hosts said, as if it were one computer's; returns the worst of their exit codes. */
    private int collect(Map<HostPlace, Answer> answers) throws HvException {
        HostAnswers all = new HostAnswers(context.options().format());
        int exit = ExitCode.OK.number();
        for (Map.Entry<HostPlace, Answer> entry : answers.entrySet()) {
            Answer answer = entry.getValue();
            complain(entry.getKey(), answer);
            exit = Math.max(exit, answer.exit());
            try {
                all.add(entry.getKey().name(), answer.out());
            } catch (JacksonException e) {
                throw noJson(entry.getKey().name(), e);
            }
        }
        all.print(context);
        return exit;
    }

    static HvException noJson(String host, JacksonException e) {
        return new HvException(ExitCode.FAILURE, "host " + host + " answers no JSON: " + e.getMessage(), "");
    }

    /** Says on standard error what a host said there, or that it does not answer. */
    void complain(HostPlace host, Answer answer) {
        if (!answer.unreachable().isEmpty()) {
            say(answer.unreachable());
        }
        answer.err().lines().forEach(line -> say("host " + host.name() + ": " + line.replaceFirst("^hv: ", "")));
    }

    private void say(String line) {
        context.environment().err().println("hv: " + VisibleText.line(line));
    }

    /** Adds what {@code hv ps} shows of each host that answers; returns 1 if one does not. */
    int addRows(List<PsRow> rows) throws HvException, InterruptedException {
        CommandLine line = CommandLine.newBuilder()
                .addAllWords(List.of("ps", "--format", "json"))
                .build();
        int exit = ExitCode.OK.number();
        String only = context.options().host();
        List<HostPlace> asked = topology.hosts().stream()
                .filter(host -> only == null || only.equals(host.name()))
                .toList();
        for (Map.Entry<HostPlace, Answer> entry :
                topology.runOn(asked, line, context.options().timeoutOr(QUICK)).entrySet()) {
            String host = entry.getKey().name();
            Answer answer = entry.getValue();
            complain(entry.getKey(), answer);
            exit = Math.max(exit, answer.exit());
            if (!answer.out().isEmpty()) {
                try {
                    for (JsonNode row : Json.parse(answer.out()).path("domains")) {
                        rows.add(PsRow.of(topology.name(), host, row));
                    }
                } catch (JacksonException e) {
                    throw noJson(host, e);
                }
            }
        }
        return exit;
    }
}
