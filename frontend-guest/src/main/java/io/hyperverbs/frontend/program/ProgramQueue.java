package io.hyperverbs.frontend.program;

import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.spi.DomainProvider;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.hypercall.Hypercalls;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs the programs that the toolstack names in {@code domain/tool/exec/NAME/1}, {@code 2} and so
 * on, each as soon as its key is there: class path below {@code FOLDER/app} separated by colons,
 * main class, then one argument a line. The exit code goes to the domain's own key {@code exec/N}.
 *
 * <p>A program is over when its main method and all threads it started, but daemons, are. Programs
 * share the process: one that calls {@link System#exit} ends the domain.
 */
public final class ProgramQueue {
    private static final Duration FOREVER = Duration.ofDays(1);

    private final Hypercalls machine;
    private final Domain domain;
    private final Path app;

    /**
     * @param app folder that class paths are relative to
     */
    public ProgramQueue(Hypercalls machine, Domain domain, Path app) {
        this.machine = machine;
        this.domain = domain;
        this.app = app;
    }

    /** Waits for programs and starts them; does not return while the VMM is there. */
    public void serve() throws HypercallException {
        for (int number = 1; ; number++) {
            String path = "domain/tool/exec/" + domain.name() + "/" + number;
            Optional<String> job = Optional.empty();
            while (job.isEmpty()) {
                job = machine.storeRead(path, FOREVER);
            }
            start(number, job.get().lines().toList());
        }
    }

    private void start(int number, List<String> job) {
        ThreadGroup group = new ThreadGroup("program-" + number);
        Thread thread = new Thread(group, () -> run(number, job, group), "program-" + number);
        // As the java launcher's main thread, or the threads it starts would be daemons and not
        // waited for where this queue is served by one.
        thread.setDaemon(false);
        thread.start();
    }

    private void run(int number, List<String> job, ThreadGroup group) {
        DomainProvider.bind(domain);
        int exitCode = Program.FAILED;
        if (job.size() < 2) {
            System.err.println("program " + number + " has no class path and main class");
        } else {
            exitCode = run(job, group);
        }
        try {
            machine.storeWrite("exec/" + number, Integer.toString(exitCode));
        } catch (HypercallException e) {
            System.err.println("exit code of program " + number + " not stored: " + e.getMessage());
        }
    }

    private int run(List<String> job, ThreadGroup group) {
        try (URLClassLoader loader =
                new URLClassLoader(urls(job.getFirst()), ProgramQueue.class.getClassLoader())) {
            int exitCode = new Program(loader, job.get(1), job.subList(2, job.size())).run();
            awaitOthers(group);
            return exitCode;
        } catch (IOException e) {
            System.err.println("class path " + job.getFirst() + ": " + e.getMessage());
            return Program.FAILED;
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

    private static void awaitOthers(ThreadGroup group) {
        Thread[] threads = new Thread[group.activeCount() + 16];
        int count = group.enumerate(threads);
        for (int i = 0; i < count; i++) {
            Thread other = threads[i];
            if (!other.equals(Thread.currentThread()) && !other.isDaemon()) {
                try {
                    other.join();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                }
                // It may have started others.
                awaitOthers(group);
                return;
            }
        }
    }
}
