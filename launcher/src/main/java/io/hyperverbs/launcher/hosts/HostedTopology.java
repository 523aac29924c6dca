package io.hyperverbs.launcher.hosts;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.LogTail;
import io.hyperverbs.launcher.machine.MachineFolder;
import io.hyperverbs.launcher.machine.Parallel;
import io.hyperverbs.launcher.machine.StateRoot;
import io.hyperverbs.launcher.node.wire.CommandLine;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.vmm.domain.ProcessEnd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;

/** A topology that runs on several hosts. */
public final class HostedTopology {
    /** For the process here to end once its node has. */
    private static final Duration END = Duration.ofSeconds(10);

    private final StateRoot root;
    private final MachineFolder folder;
    private final HostsFile file;

    private HostedTopology(StateRoot root, MachineFolder folder, HostsFile file) {
        this.root = root;
        this.folder = folder;
        this.file = file;
    }

    /**
     * @throws HvException NOT_FOUND if it does not run
     */
    public static HostedTopology of(StateRoot root, MachineFolder folder) throws HvException {
        return new HostedTopology(root, folder, HostsFile.read(folder));
    }

    public String name() {
        return folder.name();
    }

    /** What it was started by. */
    public Launcher launcher() {
        return file.launcher();
    }

    public List<HostPlace> hosts() {
        return file.hosts();
    }

    /** The host that a domain has been on from the start. */
    public Optional<HostPlace> hostOf(String domain) {
        return file.hosts().stream()
                .filter(host -> host.domains().contains(domain))
                .findFirst();
    }

    /** A connection to one of the hosts. */
    public HostClient client(HostPlace host) throws HostUnreachable {
        return new HostClient(host, file);
    }

    /**
     * What a host said to a command.
     *
     * @param unreachable why it said nothing, or empty
     */
    public record Answer(int exit, String out, String err, String unreachable) {}

    /** Runs a command on some of its hosts side by side; answers in the order of {@code hosts}. */
    public Map<HostPlace, Answer> runOn(List<HostPlace> hosts, CommandLine line, Duration deadline)
            throws HvException, InterruptedException {
        Map<HostPlace, Answer> answers = new ConcurrentHashMap<>();
        List<Callable<Answer>> calls = new ArrayList<>();
        for (HostPlace host : hosts) {
            calls.add(() -> {
                Answer answer = ask(host, line, deadline);
                answers.put(host, answer);
                return answer;
            });
        }
        Parallel.run(calls, "cannot ask hosts");
        Map<HostPlace, Answer> ordered = new LinkedHashMap<>();
        hosts.forEach(host -> ordered.put(host, answers.get(host)));
        return ordered;
    }

    private Answer ask(HostPlace host, CommandLine line, Duration deadline) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        try (HostClient client = client(host)) {
            int exit = client.run(line, deadline, out, err);
            return new Answer(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8), "");
        } catch (HostUnreachable e) {
            return new Answer(ExitCode.FAILURE.number(), "", "", e.getMessage() + said(host));
        }
    }

    /** What the process that brought the node there printed last, if it has ended. */
    private String said(HostPlace host) {
        if (host.process().isEmpty() || host.alive().isPresent()) {
            return "";
        }
        String last =
                LogTail.lastLine(folder.path().resolve(host.name() + ".err")).strip();
        return last.isEmpty() ? "; its process has ended" : "; its last words: " + last;
    }

    /**
     * Ends the machines of all hosts, and what brought them there, and removes the state folder.
     *
     * @return a line for each host that did not answer; what is left there is not known
     */
    public List<String> down() throws HvException, IOException, InterruptedException {
        Map<String, String> silent = new ConcurrentHashMap<>();
        List<Callable<Boolean>> calls = new ArrayList<>();
        for (HostPlace host : file.hosts()) {
            calls.add(() -> {
                try (HostClient client = client(host)) {
                    client.down();
                } catch (HostUnreachable e) {
                    silent.put(host.name(), e.getMessage() + said(host));
                }
                end(host);
                return true;
            });
        }
        Parallel.run(calls, "cannot end hosts");
        for (HostPlace host : file.hosts()) {
            removeLeft(host);
        }
        folder.delete();
        return file.hosts().stream()
                .map(host -> silent.get(host.name()))
                .filter(line -> line != null)
                .map(String::valueOf)
                .toList();
    }

    private static void end(HostPlace host) throws InterruptedException {
        Optional<ProcessHandle> process = host.alive();
        if (process.isEmpty()) {
            return;
        }
        if (!ProcessEnd.await(process.get(), END)) {
            boolean _ = process.get().destroy();
            if (!ProcessEnd.await(process.get(), END)) {
                boolean _ = process.get().destroyForcibly();
            }
        }
    }

    /** A node on this computer that was killed has left its machine's folder, whose VMM has died with it. */
    private void removeLeft(HostPlace host) throws IOException, InterruptedException {
        MachineFolder left = root.folder(Topology.partName(folder.name(), host.name()));
        Path path = left.path();
        if (Files.isDirectory(path)) {
            Optional<ProcessHandle> vmm = left.vmm();
            if (vmm.isEmpty() || ProcessEnd.await(vmm.get(), END)) {
                left.delete();
            }
        }
    }
}
