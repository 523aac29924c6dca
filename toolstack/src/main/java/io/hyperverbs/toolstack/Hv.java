package io.hyperverbs.toolstack;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Suggestion;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.topology.Units;
import io.hyperverbs.toolstack.cli.CliEnvironment;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.toolstack.cli.GlobalOptions;
import io.hyperverbs.toolstack.commands.BenchCommand;
import io.hyperverbs.toolstack.commands.CaptureCommand;
import io.hyperverbs.toolstack.commands.CheckCommand;
import io.hyperverbs.toolstack.commands.CleanCommand;
import io.hyperverbs.toolstack.commands.CompletionCommand;
import io.hyperverbs.toolstack.commands.DevinfoCommand;
import io.hyperverbs.toolstack.commands.DoctorCommand;
import io.hyperverbs.toolstack.commands.DownCommand;
import io.hyperverbs.toolstack.commands.ExecCommand;
import io.hyperverbs.toolstack.commands.ExportCommand;
import io.hyperverbs.toolstack.commands.HostedCommands;
import io.hyperverbs.toolstack.commands.HvCommand;
import io.hyperverbs.toolstack.commands.InspectCommand;
import io.hyperverbs.toolstack.commands.IsolateCommand;
import io.hyperverbs.toolstack.commands.JournalCommand;
import io.hyperverbs.toolstack.commands.LinkCommand;
import io.hyperverbs.toolstack.commands.LogsCommand;
import io.hyperverbs.toolstack.commands.MpirunCommand;
import io.hyperverbs.toolstack.commands.NodeCommand;
import io.hyperverbs.toolstack.commands.PortCommand;
import io.hyperverbs.toolstack.commands.PsCommand;
import io.hyperverbs.toolstack.commands.RdmaCommand;
import io.hyperverbs.toolstack.commands.RunCommand;
import io.hyperverbs.toolstack.commands.SchemaCommand;
import io.hyperverbs.toolstack.commands.StartCachesCommand;
import io.hyperverbs.toolstack.commands.TopCommand;
import io.hyperverbs.toolstack.commands.TraceCommand;
import io.hyperverbs.toolstack.commands.UpCommand;
import io.hyperverbs.toolstack.commands.ValidateCommand;
import io.hyperverbs.vmm.posix.QuickExit;
import io.hyperverbs.vmm.sandbox.SandboxChoice;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code hv} command. */
@Command(
        name = "hv",
        description = "Runs a rack of InfiniBand virtual machines on this computer, and measures what"
                + " bypassing the hypervisor is worth.",
        commandListHeading = "%ncommands:%n",
        footer = {
            "  hv bench --quick               native, bypass and forwarded, compared",
            "  hv up -d --topo pair           two guests on one HCA; then hv ps, hv down",
            "  hv run examples/WriteHello.java",
            "",
            "exit codes: 0 ok, 1 failure, 2 usage, 3 topology invalid, 4 not found, 5 conflict,",
            "6 check failed, 7 isolation breach, 8 timeout, 130 interrupted, 143 terminated; run:"
                    + " the program's own."
        })
public final class Hv extends HvCommand {
    private final CommandContext context;

    @Mixin
    final GlobalOptions options;

    @CommandLine.Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Version of this distribution.")
    boolean version;

    private Hv(CommandContext context) {
        super(context);
        this.context = context;
        this.options = context.options();
    }

    /** Runs the command line and ends the process with its exit code. */
    public static void main(String[] args) {
        // What libraries have to say is of interest in the logs of VMM and device domain only.
        if (System.getProperty("hv.log") == null) {
            System.setProperty("hv.log", "WARN");
        }
        int code = execute(CliEnvironment.ofProcess(), args);
        if (!isRecorded(args)) {
            QuickExit.withoutHooks(code);
        }
        System.exit(code);
    }

    /** Whether the JVM is to write down at its end which classes the command needed. */
    private static boolean isRecorded(String... args) {
        return args.length > 0 && args[0].equals(StartCachesCommand.NAME);
    }

    /** Runs a command line; returns its exit code. */
    public static int execute(CliEnvironment environment, String... args) {
        return line(environment, args).execute(args);
    }

    /** All commands. */
    static CommandLine line(CliEnvironment environment, String... args) {
        CommandContext context = new CommandContext(environment);
        context.words(args);
        CommandLine line = new CommandLine(new Hv(context));
        for (HvCommand command : commands(context)) {
            CommandLine subcommand = new CommandLine(command);
            // What follows the program belongs to the program.
            subcommand.setStopAtPositional(command instanceof RunCommand
                    || command instanceof ExecCommand
                    || command instanceof MpirunCommand);
            line.addSubcommand(subcommand);
            for (HvCommand below : command.subcommands()) {
                CommandLine lower = new CommandLine(below);
                subcommand.addSubcommand(lower);
                below.shape(lower.getCommandSpec());
            }
        }
        line.registerConverter(Duration.class, Hv::duration);
        line.registerConverter(SandboxChoice.class, Hv::sandbox);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setOut(writer(environment.out()));
        line.setErr(writer(environment.err()));
        line.setColorScheme(CommandLine.Help.defaultColorScheme(colours(environment, args)));
        line.getCommandSpec().versionProvider(() -> new String[] {"hv " + distributionVersion()});
        line.setExecutionStrategy(parsed -> execute(context, line, parsed));
        line.setParameterExceptionHandler((failure, words) -> misused(context, failure, words));
        line.setExecutionExceptionHandler((failure, at, parsed) -> failed(context, failure, parsed));
        return line;
    }

    /** On the hosts of the topology that is meant, or else here. */
    private static int execute(CommandContext context, CommandLine line, ParseResult parsed) {
        try {
            Optional<Integer> exit = HostedCommands.run(context, parsed);
            return exit.isPresent() ? exit.get() : new CommandLine.RunLast().execute(parsed);
        } catch (HvException | IOException | InterruptedException e) {
            throw new CommandLine.ExecutionException(line, String.valueOf(e.getMessage()), e);
        }
    }

    private static SandboxChoice sandbox(String text) {
        try {
            return SandboxChoice.parse(text);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.TypeConversionException(e.getMessage());
        }
    }

    private static List<HvCommand> commands(CommandContext context) {
        return List.of(
                new BenchCommand(context),
                new UpCommand(context),
                new DownCommand(context),
                new CleanCommand(context),
                new ExportCommand(context),
                new PsCommand(context),
                new TopCommand(context),
                new InspectCommand(context),
                new LogsCommand(context),
                new DevinfoCommand(context),
                new RdmaCommand(context),
                new PortCommand(context),
                new LinkCommand(context),
                new CaptureCommand(context),
                new RunCommand(context),
                new ExecCommand(context),
                new MpirunCommand(context),
                new TraceCommand(context),
                new JournalCommand(context),
                new ValidateCommand(context),
                new SchemaCommand(context),
                new DoctorCommand(context),
                new CheckCommand(context),
                new IsolateCommand(context),
                new CompletionCommand(context),
                new StartCachesCommand(context),
                new NodeCommand(context));
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, true, StandardCharsets.UTF_8);
    }

    private static Ansi colours(CliEnvironment environment, String[] args) {
        boolean off = !environment.terminal()
                || environment.environment().containsKey("NO_COLOR")
                || Arrays.asList(args).contains("--no-color");
        return off ? Ansi.OFF : Ansi.AUTO;
    }

    private static Duration duration(String text) {
        try {
            return Units.duration(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    private static String distributionVersion() {
        try {
            return Files.readString(Path.of(System.getProperty("hv.home", "."), "VERSION"))
                    .strip();
        } catch (IOException e) {
            return "(not installed)";
        }
    }

    /** Without a command: the help. */
    @Override
    public Integer call() {
        CommandLine.usage(this, context.environment().err());
        return ExitCode.USAGE.number();
    }

    private static int misused(CommandContext context, ParameterException failure, String[] words) {
        // Parsing broke off, so an option after the mistake has not been seen.
        context.fallBackTo(formatIn(words));
        CommandLine command = failure.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        String hint = "see " + name + " --help";
        String what = message(failure);
        if (failure instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            String word = unmatched.getUnmatched().getFirst();
            List<String> known = word.startsWith("-")
                    ? List.copyOf(command.getCommandSpec().optionsMap().keySet())
                    : List.copyOf(command.getSubcommands().keySet());
            what = unmatched(command, word);
            hint = Suggestion.closest(word, known)
                    .map(n -> "did you mean '" + n + "'?")
                    .orElse(hint);
        }
        return context.fail(new HvException(ExitCode.USAGE, what, hint));
    }

    private static String unmatched(CommandLine command, String word) {
        if (word.startsWith("-")) {
            return "unknown option '" + word + "'";
        }
        return command.getSubcommands().isEmpty()
                ? "unexpected argument '" + word + "'"
                : "unknown command '" + word + "'";
    }

    private static String message(ParameterException failure) {
        String message = failure.getMessage();
        return message == null ? "cannot make sense of the command line" : message;
    }

    private static Format formatIn(String[] words) {
        for (int i = 0; i < words.length; i++) {
            String value = words[i].startsWith("--format=")
                    ? words[i].substring("--format=".length())
                    : words[i].equals("--format") && i + 1 < words.length ? words[i + 1] : "";
            for (Format format : Format.values()) {
                if (format.name().equalsIgnoreCase(value)) {
                    return format;
                }
            }
        }
        return Format.TABLE;
    }

    private static int failed(CommandContext context, Exception failure, ParseResult parsed) {
        if (failure instanceof HvException known) {
            return context.fail(known);
        }
        if (failure instanceof InterruptedException) {
            return ExitCode.INTERRUPTED.number();
        }
        if (context.options().verbose()) {
            context.stackTrace(failure);
        }
        String hint =
                context.options().verbose() ? "" : "hv " + parsed.originalArgs().getFirst() + " -v";
        return context.fail(
                new HvException(ExitCode.FAILURE, failure.toString(), hint.isEmpty() ? "" : hint + " shows where"));
    }
}
