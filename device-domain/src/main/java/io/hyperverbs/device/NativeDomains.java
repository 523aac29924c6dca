package io.hyperverbs.device;

import io.hyperverbs.backend.NativeHost;
import io.hyperverbs.frontend.DriverDomain;
import io.hyperverbs.frontend.ip.PacketCarrier;
import io.hyperverbs.frontend.program.LoadedProgram;
import io.hyperverbs.frontend.program.ProgramQueue;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.DomainProvider;
import io.hyperverbs.vmm.cores.EngineCores;
import io.hyperverbs.vmm.hypercall.BackendHypercalls;
import io.hyperverbs.vmm.hypercall.DomainNotice;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.hypercall.Hypercalls;
import io.hyperverbs.vmm.io.ControlPath;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs native domains: each program on a thread of its own, on the guests' driver with a direct
 * control path. A program that does not end when its domain is stopped is left behind with memory
 * that reads as zeroes; it cannot be killed. Any thread.
 */
final class NativeDomains implements NativeHost {
    private static final Logger LOG = LoggerFactory.getLogger(NativeDomains.class);

    private final BackendHypercalls machine;
    private final Map<Integer, Thread> threads = new ConcurrentHashMap<>();

    NativeDomains(BackendHypercalls machine) {
        this.machine = machine;
    }

    @Override
    public void start(DomainNotice.Added domain, ControlPath path, Runnable wakeEngine) {
        Hypercalls calls = new NativeHypercalls(machine, domain, wakeEngine);
        Thread thread = new Thread(
                new ThreadGroup("native-" + domain.name()), () -> run(domain, calls, path), "native-" + domain.name());
        thread.setDaemon(true);
        threads.put(domain.domain(), thread);
        thread.start();
    }

    @Override
    public void stop(int domain) {
        Thread thread = threads.remove(domain);
        if (thread != null) {
            thread.getThreadGroup().interrupt();
        }
    }

    private void run(DomainNotice.Added domain, Hypercalls calls, ControlPath path) {
        int exitCode = 1;
        try (PrintStream _ = DomainConsole.open(domain.logFile());
                URLClassLoader loader = loader(domain.classPath());
                DriverDomain driver = new DriverDomain(calls, path, null, DataPathKind.BYPASS)) {
            DomainProvider.bind(driver);
            EngineCores.of(domain.settings()).placeProgram();
            PacketCarrier.start(calls, driver::attach, loader);
            if (domain.mainClass().isEmpty()) {
                Path app = Path.of(domain.folder()).resolve("app");
                new ProgramQueue(calls, driver, app, driver::closeLeftBy).serve();
            }
            exitCode = new LoadedProgram(loader, domain.mainClass(), domain.args()).run();
        } catch (IOException | HypercallException e) {
            LOG.warn("native domain {} ended: {}", domain.name(), e.getMessage());
        } finally {
            threads.remove(domain.domain());
            ended(domain, exitCode);
        }
    }

    private void ended(DomainNotice.Added domain, int exitCode) {
        try {
            machine.nativeExited(domain.domain(), exitCode);
        } catch (HypercallException e) {
            // It was stopped: the VMM knows.
            LOG.debug("exit of {} not reported: {}", domain.name(), e.getMessage());
        }
    }

    private static URLClassLoader loader(List<String> classPath) throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String entry : classPath) {
            urls.add(new File(entry).toURI().toURL());
        }
        return new URLClassLoader(urls.toArray(URL[]::new), NativeDomains.class.getClassLoader());
    }
}
