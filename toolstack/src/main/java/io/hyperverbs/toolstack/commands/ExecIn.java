package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.AppFolder;
import io.hyperverbs.launcher.machine.LogTail;
import io.hyperverbs.launcher.machine.Program;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.machine.ShutdownHooks;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.Executables;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs a program in a guest that is there: puts it into the guest's app folder and names it in the store ({@link
 * ProgramKeys}). If hv is ended before, by a signal that can be caught, or the time is up, the program is cancelled.
 */
final class ExecIn {
    private static final int MAX_EXIT_CODE = 255;

    private final CommandContext context;
    private final RunningMachine machine;
    private final String guest;
    private final boolean raw;

    ExecIn(CommandContext context, RunningMachine machine, String guest, boolean raw) {
        this.context = context;
        this.machine = machine;
        this.guest = guest;
        this.raw = raw;
    }

    /** Refuses what is no guest process that runs. */
    void check() throws HvException {
        DomainReport domain = Machines.domain(machine, guest);
        if (domain.kind() != DomainKind.GUEST || domain.state().ended()) {
            throw new HvException(
                    ExitCode.CONFLICT,
                    "domain " + guest + (domain.state().ended() ? " has ended" : " is no guest process"),
                    "leave --in out to run in a new guest");
        }
    }

    int run(Program program) throws HvException, IOException, InterruptedException {
        check();
        List<String> lines = new ArrayList<>();
        lines.add(put(program.files()));
        lines.add(program.mainClass());
        lines.addAll(program.args());
        return run(lines);
    }

    /** Copies a program's files to where the guest sees them; its class path there. */
    String put(List<Path> files) throws IOException {
        Path app = machine.folder().app(guest);
        List<String> places = new ArrayList<>();
        for (Path place : AppFolder.put(app, files)) {
            String relative = app.relativize(place).toString();
            places.add(Files.isDirectory(place) ? relative + "/" : relative);
        }
        return String.join(":", places);
    }

    /** Runs an executable of the computer: a path, or a name that is looked for where executables are. */
    int runExecutable(List<String> command) throws HvException, IOException, InterruptedException {
        check();
        return run(executable(command));
    }

    /** Starts an executable whose output stays in the guest's log. */
    ProgramKeys.Submitted startExecutable(List<String> command) throws HvException, IOException {
        check();
        return submit(executable(command));
    }

    private static List<String> executable(List<String> command) {
        List<String> lines = new ArrayList<>();
        lines.add(Executables.PROGRAM);
        command.forEach(word -> lines.add(escaped(word)));
        return lines;
    }

    private static String escaped(String word) {
        return word.replace("\\", "\\\\").replace("\n", "\\n");
    }

    private int run(List<String> lines) throws HvException, IOException, InterruptedException {
        Path log = machine.folder().log(guest);
        LogTail tail = new LogTail(log, Files.exists(log) ? Files.size(log) : 0);
        ProgramKeys.Submitted program = submit(lines);
        // Who ends hv ends the program with it.
        Thread hook = new Thread(program::cancel, "cancel-" + guest);
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return follow(tail, program);
        } finally {
            ShutdownHooks.remove(hook);
        }
    }

    /** Lets the guest start a program whose output stays in the guest's log: class path, main class, arguments. */
    ProgramKeys.Submitted submit(List<String> lines) throws HvException, IOException {
        return ProgramKeys.of(machine, Machines.domain(machine, guest)).submit(String.join("\n", lines));
    }

    private int follow(LogTail tail, ProgramKeys.Submitted program)
            throws HvException, IOException, InterruptedException {
        long endNanos = System.nanoTime()
                + context.options().timeoutOr(Duration.ofDays(365)).toNanos();
        AtomicReference<Optional<String>> exit = new AtomicReference<>(Optional.empty());
        try (OutputStream out = context.guestOut(raw);
                OutputStream err = context.guestErr(raw)) {
            tail.follow(out, err, () -> {
                exit.set(program.exitCode());
                boolean isOver = exit.get().isPresent() || System.nanoTime() - endNanos > 0;
                if (isOver) {
                    DomainWatch.awaitOutput(context, machine, guest);
                }
                return isOver || DomainWatch.hasEnded(machine, guest);
            });
        }
        Optional<String> code = exit.get();
        if (code.isPresent()) {
            program.forget();
            return exitCode(guest, code.get());
        }
        DomainReport end = Machines.domain(machine, guest);
        if (!end.state().ended()) {
            program.cancel();
            throw new HvException(ExitCode.TIMEOUT, "the program in " + guest + " ran too long", "see --timeout");
        }
        // A program that calls System.exit by reflection ends its guest.
        return end.exitCode();
    }

    /** What the guest says that its program ended with. The guest writes what it likes. */
    static int exitCode(String guest, String answer) throws HvException {
        String digits = answer.strip();
        if (digits.matches("[0-9]{1,3}")) {
            int code = Integer.parseInt(digits);
            if (code <= MAX_EXIT_CODE) {
                return code;
            }
        }
        throw new HvException(
                ExitCode.FAILURE,
                guest + " answered no exit code of its program",
                "the guest wrote its store key exec/ itself, or its driver is broken");
    }
}
