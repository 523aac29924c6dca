package io.hyperverbs.launcher.machine;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * The installed jars and the options that our JVMs get.
 *
 * @param home folder with {@code host/} and {@code guest/}
 * @param notes whether VMM and domains note what their {@link StartCache} is made of
 */
public record Installation(Path home, boolean notes) {
    private static final List<String> COMMON = List.of(
            "-XX:-UsePerfData",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            // For what is called by reflection a few times the JVM would make classes first (docs/adr/0058).
            "-Djdk.reflect.useNativeAccessorOnly=true");

    /** Compiles fast; its code is slower than that of the second. */
    private static final String FIRST_COMPILER = "-XX:TieredStopAtLevel=1";

    /** Nobody can attach to a trusted process: SIGQUIT shows threads and this, in its log. */
    private static final String SHOW_LIVE_OBJECTS = "-XX:+PrintClassHistogram";

    /** What Chronicle Queue needs; and no other process of this user may attach. */
    private static final List<String> TRUSTED = List.of(
            "-XX:+DisableAttachMechanism",
            "--sun-misc-unsafe-memory-access=allow",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
            "-Dchronicle.analytics.disable=true",
            // Chronicle makes an empty folder /tmp/target, and here it can make none.
            "-Dproject.build.directory=/dev/null");

    public Installation(Path home) {
        this(home, false);
    }

    /**
     * The one this process runs from: {@code hv.home}.
     *
     * @throws HvException FAILURE if it is not set or not whole
     */
    public static Installation current() throws HvException {
        Path home = Path.of(System.getProperty("hv.home", "")).toAbsolutePath();
        if (!Files.isDirectory(home.resolve("host")) || !Files.isDirectory(home.resolve("guest"))) {
            throw new HvException(
                    ExitCode.FAILURE,
                    "no distribution in " + home,
                    "start hv by its script; mvn package -DskipTests builds it");
        }
        return new Installation(home);
    }

    public Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    public List<Path> hostClassPath() throws HvException {
        return jars("host");
    }

    public List<Path> guestClassPath() throws HvException {
        return jars("guest");
    }

    /** Folder of the C libraries for executables in guests; empty where they were not built. */
    public Optional<Path> executableLibraries() {
        return Optional.of(home.resolve("native")).filter(Files::isDirectory);
    }

    /** Whether {@link #executableLibraries} has that file. */
    public boolean isBuilt(String file) {
        return executableLibraries()
                .filter(folder -> Files.exists(folder.resolve(file)))
                .isPresent();
    }

    private List<Path> jars(String folder) throws HvException {
        try (Stream<Path> files = Files.list(home.resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new HvException(ExitCode.FAILURE, "cannot list the distribution: " + e, "");
        }
    }

    /** Options of the VMM: it only moves descriptors and small messages. */
    public List<String> vmmOptions() {
        List<String> own = List.of("-Xms16m", "-Xmx128m", "-Xss512k", FIRST_COMPILER, SHOW_LIVE_OBJECTS);
        List<String> cache = notes ? notesOf(StartCache.VMM) : vmmCache();
        return joined(List.of(COMMON, TRUSTED, own, cache));
    }

    /**
     * Options of the device domain: the HCA's engine needs the best compiler.
     *
     * @param brief as in {@link MachineLauncher.Mode}
     */
    public List<String> backendOptions(boolean brief) {
        List<String> own = List.of("-Xms64m", "-Xmx512m", SHOW_LIVE_OBJECTS);
        return joined(List.of(COMMON, TRUSTED, own, compiler(brief), notesOf(StartCache.BACKEND)));
    }

    private static List<String> compiler(boolean brief) {
        return brief ? List.of(FIRST_COMPILER) : List.of();
    }

    /**
     * Options of a guest: small, but its data path is compiled well.
     *
     * @param brief as in {@link Program}
     */
    public List<String> guestOptions(boolean brief) {
        List<String> own = List.of(
                "-Xms16m",
                "-Xmx64m",
                "-Xss512k",
                // The archive is mapped where it was made for: guests share its pages. At a random place, which
                // protects a process from its own input, each would have a copy of all of it.
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:ArchiveRelocationMode=0",
                // Gives back what the compilers needed at the start: 6 MB of 88.
                "-XX:TrimNativeHeapInterval=30000",
                // For protobuf, which would be warned about at every start.
                "--sun-misc-unsafe-memory-access=allow",
                // Without an environment it would be ASCII.
                "-Dstdout.encoding=UTF-8",
                "-Dstderr.encoding=UTF-8");
        return joined(List.of(COMMON, own, compiler(brief), notesOf(StartCache.GUEST)));
    }

    private List<String> vmmCache() {
        // What does not fit is no news to a user.
        return StartCache.VMM
                .made(home)
                .map(file -> List.of("-XX:AOTCache=" + file, "-Xlog:aot*=off", "-Xlog:class+path=off"))
                .orElse(List.of());
    }

    /** For a faster start of the device domain. */
    public Optional<Path> backendArchive() {
        return notes ? Optional.empty() : StartCache.BACKEND.made(home);
    }

    /** For a faster start of a guest. */
    public Optional<Path> guestArchive() {
        return notes ? Optional.empty() : StartCache.GUEST.made(home);
    }

    private List<String> notesOf(StartCache cache) {
        return notes ? cache.note(home) : List.of();
    }

    /** Deletes the start caches of VMM and domains. */
    public void forgetStartCaches() throws IOException {
        for (StartCache cache : StartCache.OF_DOMAINS) {
            cache.forget(home);
        }
    }

    /** Makes the start caches of VMM and domains from what one of {@link #notes} has noted. */
    public void makeStartCaches() throws HvException, InterruptedException {
        List<Callable<Path>> makes = new ArrayList<>();
        for (StartCache cache : StartCache.OF_DOMAINS) {
            List<String> options = new Installation(home).optionsOf(cache);
            List<Path> classPath = cache == StartCache.GUEST ? guestClassPath() : hostClassPath();
            makes.add(() -> cache.make(home, options, classPath));
        }
        // Each is one thread of a JVM of its own.
        Parallel.run(makes, "no start cache");
    }

    private List<String> optionsOf(StartCache cache) {
        return switch (cache) {
            case VMM -> vmmOptions();
            case BACKEND -> backendOptions(false);
            case GUEST -> guestOptions(false);
            case TOOL -> throw new IllegalArgumentException("the script hv has them");
        };
    }

    private static List<String> joined(List<List<String>> parts) {
        return parts.stream().flatMap(List::stream).toList();
    }

    /** As an option of a JVM takes it. */
    public static String classPath(List<Path> entries) {
        return String.join(
                File.pathSeparator, entries.stream().map(Path::toString).toList());
    }
}
