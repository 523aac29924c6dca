package io.hyperverbs.vmm.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The network on which executables of the guests of one machine meet, and nobody else: a network namespace with {@code
 * lo} alone, in which each guest has an address that its name stands for. Where an ordinary user cannot make one, each
 * guest has a network of its own, and the names stand for nobody. A guest with an address for IP over InfiniBand is not on
 * it, but in a namespace of its own, and its name stands for that address. Any thread.
 */
public final class GuestNetwork implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GuestNetwork.class);

    /** Addresses of a guest are 127.0.1.1 and above. */
    private static final int HOSTS_OF_A_NET = 250;

    /** The C library counts processors by them, and leaves an errno behind where they are missing: UCX aborts by that. */
    private static final List<String> PROCESSOR_FILES =
            List.of("/sys/devices/system/cpu/online", "/sys/devices/system/cpu/possible");

    private final Path shown;
    private final @Nullable KeptNamespace common;

    private GuestNetwork(Path shown, @Nullable KeptNamespace common) {
        this.shown = shown;
        this.common = common;
    }

    /**
     * Makes one.
     *
     * @param folder is made, for files that guests see
     * @param tier of the sandbox
     * @throws IOException if the computer refuses a network namespace
     */
    public static GuestNetwork make(Path folder, SandboxTier tier) throws IOException {
        Path shown = Files.createDirectories(folder.resolve("shown"));
        readable(folder);
        readable(shown);
        write(shown.resolve("hosts"), "127.0.0.1 localhost\n");
        write(shown.resolve("nsswitch.conf"), "passwd: files\nhosts: files\n");
        for (String file : PROCESSOR_FILES) {
            write(placeOf(shown, file), processors(Path.of(file)));
        }
        return new GuestNetwork(shown, common(folder, tier));
    }

    /** Root's is there, or the machine lacks what it promises; an ordinary user may have a sandbox and not this. */
    private static @Nullable KeptNamespace common(Path folder, SandboxTier tier) throws IOException {
        try {
            return tier.hasNamespaces() ? KeptNamespace.make(folder, tier) : null;
        } catch (IOException e) {
            if (tier == SandboxTier.ROOT) {
                throw e;
            }
            LOG.warn("executables of each guest have a network of their own: {}", e.getMessage());
            return null;
        }
    }

    /** A copy, as the file system that it is in cannot be shown in part everywhere. */
    private static String processors(Path file) throws IOException {
        return Files.isReadable(file)
                ? Files.readString(file)
                : "0-" + (Runtime.getRuntime().availableProcessors() - 1) + "\n";
    }

    /** Gives a guest an address, which all guests know by its name. */
    public void add(int domain, String name) throws IOException {
        add("127.0." + (1 + domain / HOSTS_OF_A_NET) + "." + (1 + domain % HOSTS_OF_A_NET), name);
    }

    /** The same for a guest that has an address already. */
    public void add(String address, String name) throws IOException {
        // In place: guests that are there see this file itself.
        Files.writeString(shown.resolve("hosts"), address + " " + name + "\n", StandardOpenOption.APPEND);
    }

    /** What executables of the guest of that name see. */
    public ExecutableView view(String name, Optional<Path> libraries) {
        return new ExecutableView(
                name, libraries, shown, Optional.ofNullable(common).map(KeptNamespace::file));
    }

    /** The same of a guest in a namespace of its own, by its file. */
    public ExecutableView view(String name, Optional<Path> libraries, Path own) {
        return new ExecutableView(name, libraries, shown, Optional.of(own));
    }

    private static void write(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    }

    private static void readable(Path folder) throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Ends the network; guests that are in it keep it until they end. */
    @Override
    public void close() {
        if (common != null) {
            common.close();
        }
    }

    /** Names of the files that guests see. */
    static List<String> files() {
        List<String> files = new ArrayList<>(List.of("/etc/hosts", "/etc/nsswitch.conf"));
        files.addAll(PROCESSOR_FILES);
        return files;
    }

    /** Where in {@code shown} the file is that guests see under that name. */
    static Path placeOf(Path shown, String file) {
        return shown.resolve(Path.of(file).getFileName());
    }
}
