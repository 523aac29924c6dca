package io.hyperverbs.frontend.program;

import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.DomainProvider;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.domain.Executables;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.hypercall.Hypercalls;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the programs that the toolstack names in {@code domain/tool/exec/ID/1}, {@code 2} and so
 * on, with this domain's number, each as soon as its key is there: class path below {@code FOLDER/app} separated by
 * colons, main class, then one argument a line. The exit code goes to the domain's own key {@code exec/N}; where the
 * program's key is gone then, nobody asks for it any more.
 *
 * <p>A job whose first line is {@link Executables#PROGRAM} is one of the computer's: its command follows, then one argument a
 * line, in which a backslash and the end of a line are escaped as in Java.
 *
 * <p>Whoever started a program cancels it with the key {@code domain/tool/cancel/ID/N}: it ends
 * as by {@link System#exit} with {@value #CANCELLED}.
 *
 * <p>A program is over when its main method and all threads it started, but daemons, are. Programs
 * share the process; one that calls {@link System#exit} ends alone: its threads are interrupted,
 * and those that do not end within {@value #END_MILLIS} ms are named on standard error and left
 * behind. Contexts that it left open are closed, and its memory is freed, after {@value #GRACE_MILLIS} ms where a cancelled
 * one does not end by itself.
 */
public final class ProgramQueue {
    private static final Duration FOREVER = Duration.ofDays(1);
    private static final long END_MILLIS = 5000;
    private static final long GRACE_MILLIS = 500;

    /** As a shell says it of a command that is not there. */
    private static final int NOT_STARTED = 127;

    /** As of a process that an interrupt from the keyboard ended. */
    private static final int CANCELLED = 130;

    // A read that waits for a cancel must not outlive its program by much: it holds a hypercall.
    private static final Duration CANCEL_READ = Duration.ofSeconds(1);

    private final Hypercalls machine;
    private final Domain domain;
    private final Path app;
    private final Consumer<ThreadGroup> closeLeft;
    private final Preparation preparation;
    private final @Nullable ExecutableStarter executables;

    /** Numbers of programs whose exit codes are in the store. */
    private final Set<Integer> exits = new HashSet<>();

    /** What is to be done before a program starts. */
    @FunctionalInterface
    public interface Preparation {
        void run() throws HypercallException;
    }

    /**
     * @param app folder that class paths are relative to
     * @param closeLeft closes and frees what threads of the group left
     */
    public ProgramQueue(Hypercalls machine, Domain domain, Path app, Consumer<ThreadGroup> closeLeft) {
        this(machine, domain, app, () -> {}, closeLeft, null);
    }

    /**
     * @param app folder that class paths are relative to
     * @param preparation what is done before a program starts
     * @param closeLeft closes and frees what threads of the group left
     * @param executables starts those; null where there is no room for any
     */
    public ProgramQueue(
            Hypercalls machine,
            Domain domain,
            Path app,
            Preparation preparation,
            Consumer<ThreadGroup> closeLeft,
            @Nullable ExecutableStarter executables) {
        this.preparation = preparation;
        this.executables = executables;
        this.closeLeft = closeLeft;
        this.machine = machine;
        this.domain = domain;
        this.app = app;
    }

    /** Waits for programs and starts them; does not return while the VMM is there. */
    public void serve() throws HypercallException {
        for (int number = 1; ; number++) {
            String path = key(number);
            Optional<String> job = Optional.empty();
            while (job.isEmpty()) {
                job = machine.storeRead(path, FOREVER);
            }
            preparation.run();
            List<String> lines = job.get().lines().toList();
            if (!lines.isEmpty() && lines.getFirst().equals(Executables.PROGRAM)) {
                startExecutable(number, lines.subList(1, lines.size()));
            } else {
                start(number, lines);
            }
        }
    }

    private void start(int number, List<String> job) {
        ProgramThreads group = new ProgramThreads("program-" + number);
        Thread thread = new Thread(group, () -> run(number, job, group), "program-" + number);
        // As the java launcher's main thread, or the threads it starts would be daemons and not
        // waited for where this queue is served by one.
        thread.setDaemon(false);
        thread.start();
        Thread.ofPlatform().daemon().name("cancel-" + number).start(() -> awaitCancel(number, thread, group));
    }

    private void startExecutable(int number, List<String> escaped) {
        List<String> command = escaped.stream().map(String::translateEscapes).toList();
        ExecutableStarter.Running running;
        try {
            if (executables == null || command.isEmpty()) {
                throw new IOException("guest " + domain.name()
                        + " has no room for executables; its topology gives it some by executables: {}");
            }
            running = executables.start(command);
        } catch (IOException e) {
            System.err.println(e.getMessage());
            storeExit(number, NOT_STARTED);
            return;
        }
        Thread main = Thread.ofPlatform().daemon().name("executable-" + number).start(() -> {
            try {
                storeExit(number, running.await());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Thread.ofPlatform().daemon().name("cancel-" + number).start(() -> {
            try {
                if (isCancelled(number, main)) {
                    running.cancel();
                }
            } catch (HypercallException e) {
                // The VMM is gone, or the domain ends: so does the executable.
            }
        });
    }

    /** Waits for a program's end, or for who started it to cancel it. */
    private boolean isCancelled(int number, Thread main) throws HypercallException {
        String path = "domain/tool/cancel/" + machine.boot().domain() + "/" + number;
        boolean cancelled = false;
        while (!cancelled && main.isAlive()) {
            cancelled = machine.storeRead(path, CANCEL_READ).isPresent();
        }
        return cancelled;
    }

    private void awaitCancel(int number, Thread main, ProgramThreads group) {
        try {
            if (isCancelled(number, main)) {
                group.exit(CANCELLED);
                main.join(GRACE_MILLIS);
                closeLeft.accept(group);
                // Its main thread waits for the others itself.
                main.join(2 * END_MILLIS);
                if (main.isAlive()) {
                    System.err.println(group.getName() + " was cancelled and goes on");
                }
            }
        } catch (HypercallException e) {
            // The VMM is gone, or the domain ends: so does the program.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(int number, List<String> job, ProgramThreads group) {
        DomainProvider.bind(domain);
        int exitCode = LoadedProgram.FAILED;
        if (job.size() < 2) {
            System.err.println("program " + number + " has no class path and main class");
        } else {
            exitCode = run(job, group);
        }
        // An interrupt that came late is not for the calls that clean up.
        boolean _ = Thread.interrupted();
        closeLeft.accept(group);
        storeExit(number, exitCode);
    }

    private String key(int number) {
        return "domain/tool/exec/" + machine.boot().domain() + "/" + number;
    }

    private synchronized void storeExit(int number, int exitCode) {
        try {
            try {
                writeExit(number, exitCode);
            } catch (HypercallException e) {
                // The interrupt of a cancel that came as the program ended: there is one, and it is not for this.
                if (!Thread.interrupted() && e.status() != VerbsStatus.EINTR) {
                    throw e;
                }
                writeExit(number, exitCode);
            }
        } catch (HypercallException e) {
            System.err.println("exit code of program " + number + " not stored: " + e.getMessage());
        }
    }

    private void writeExit(int number, int exitCode) throws HypercallException {
        forgetExits();
        exits.add(number);
        machine.storeWrite("exec/" + number, Integer.toString(exitCode));
    }

    /** A domain may have some hundred keys. */
    private void forgetExits() throws HypercallException {
        for (Iterator<Integer> all = exits.iterator(); all.hasNext(); ) {
            int number = all.next();
            if (machine.storeRead(key(number), Duration.ZERO).isEmpty()) {
                machine.storeRemove("exec/" + number);
                all.remove();
            }
        }
    }

    private int run(List<String> job, ProgramThreads group) {
        try (ProgramLoader loader = new ProgramLoader(urls(job.getFirst()), ProgramQueue.class.getClassLoader())) {
            int exitCode = new LoadedProgram(loader, job.get(1), job.subList(2, job.size())).run();
            // The interrupt of its own end is not for what comes after it.
            boolean _ = Thread.interrupted();
            ProgramEnd.await(group, END_MILLIS);
            return group.exitCode(exitCode);
        } catch (IOException e) {
            System.err.println("class path " + job.getFirst() + ": " + e.getMessage());
            return LoadedProgram.FAILED;
        }
    }

    private URL[] urls(String classPath) throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        for (String entry : classPath.split(":", -1)) {
            if (!entry.isEmpty()) {
                urls.add(app.resolve(entry).toUri().toURL());
            }
        }
        return urls.toArray(URL[]::new);
    }
}
