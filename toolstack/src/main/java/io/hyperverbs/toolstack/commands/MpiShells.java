package io.hyperverbs.toolstack.commands;

import io.hyperverbs.frontend.executable.ExecutableEnvironment;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.AppFolder;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.machine.ShutdownHooks;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Servers in the guests of one MPI run that start its daemons, in place of those of rsh or ssh: each takes one call, of
 * whoever knows its secret. Secrets are in files of the guests' own, as all guests read the store. Closing ends what runs
 * and removes the files.
 */
final class MpiShells implements AutoCloseable {
    /** Where a guest sees its app folder. */
    private static final String APP = "/hv/run/app";

    private static final String FILE = "hosts";

    /** Addresses and secrets: as many digits, two for a byte. */
    private static final int RANDOM_BYTES = 16;

    /** A server ends with its daemon, which ends before mpirun does. */
    private static final Duration OWN_END = Duration.ofSeconds(1);

    /** A guest asks, and kills after two seconds. */
    private static final Duration FORCED_END = Duration.ofSeconds(5);

    private final CommandContext context;
    private final RunningMachine machine;
    private final SecureRandom random = new SecureRandom();

    /** Those that may run still. */
    private final List<ProgramKeys.Submitted> servers = new ArrayList<>();

    private final List<Path> files = new ArrayList<>();
    private final Thread hook = new Thread(this::letGo, "end-mpi");
    private String callFile = "";

    private MpiShells(CommandContext context, RunningMachine machine) {
        this.context = context;
        this.machine = machine;
    }

    /** Starts a server in each guest but the first. */
    static MpiShells start(CommandContext context, RunningMachine machine, List<String> guests)
            throws HvException, IOException, InterruptedException {
        MpiShells shells = new MpiShells(context, machine);
        Runtime.getRuntime().addShutdownHook(shells.hook);
        boolean started = false;
        try {
            shells.startAll(guests);
            started = true;
            return shells;
        } finally {
            if (!started) {
                shells.close();
            }
        }
    }

    private void startAll(List<String> guests) throws HvException, IOException {
        List<String> all = new ArrayList<>();
        for (String guest : guests.subList(1, guests.size())) {
            String line = guest + " " + digits() + " " + digits() + "\n";
            all.add(line);
            String file = put(guest, line);
            addServer(new ExecIn(context, machine, guest, false)
                    .startExecutable(List.of(ExecutableEnvironment.REMOTE_SHELL.toString(), "serve", file, guest)));
        }
        callFile = put(guests.getFirst(), String.join("", all));
    }

    /** What {@code hv-rsh call}, which mpirun starts in place of rsh, finds the other guests by. */
    String callFile() {
        return callFile;
    }

    private String digits() {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Puts a file where that guest alone sees it; returns how it sees it. */
    private String put(String guest, String text) throws IOException {
        Path folder = Files.createTempDirectory("hv-mpi");
        Path file = folder.resolve(FILE);
        try {
            Files.writeString(file, text);
            Path app = machine.folder().app(guest);
            Path place = AppFolder.put(app, List.of(file)).getFirst();
            addFile(place);
            return APP + "/" + app.relativize(place);
        } finally {
            Files.deleteIfExists(file);
            Files.delete(folder);
        }
    }

    private synchronized void addServer(ProgramKeys.Submitted server) {
        servers.add(server);
    }

    private synchronized void addFile(Path file) {
        files.add(file);
    }

    /** Asks what runs to end, and removes the files. */
    private synchronized void letGo() {
        servers.forEach(ProgramKeys.Submitted::cancel);
        for (Path file : files) {
            try {
                Files.deleteIfExists(file);
                Path folder = file.getParent();
                if (folder != null) {
                    Files.deleteIfExists(folder);
                }
            } catch (IOException e) {
                context.note("cannot remove " + file + ": " + e);
            }
        }
        files.clear();
    }

    @Override
    public void close() {
        List<ProgramKeys.Submitted> cancelled;
        synchronized (this) {
            servers.removeIf(server -> server.awaitEnd(OWN_END));
            cancelled = List.copyOf(servers);
        }
        letGo();
        cancelled.forEach(server -> {
            boolean _ = server.awaitEnd(FORCED_END);
        });
        ShutdownHooks.remove(hook);
    }
}
