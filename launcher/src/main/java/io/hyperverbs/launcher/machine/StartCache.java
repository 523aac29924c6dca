package io.hyperverbs.launcher.machine;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Classes as a JVM has them once it has started, kept for its next start: one file for each kind of
 * process, in {@code start/} of the distribution. With it a start costs about half the processor
 * time. A JVM whose file is missing, or older than its jars, starts without.
 *
 * <p>The toolstack and the VMM have all that such a file can hold (JEP 483, JEP 514); the device
 * domain and guests classes alone, as the rest made their data path slower (docs/adr/0015, 0018).
 */
public enum StartCache {
    TOOL(Kind.ALL),
    VMM(Kind.ALL),
    BACKEND(Kind.CLASSES),
    GUEST(Kind.CLASSES);

    /** All but that of the toolstack, which writes its own. */
    static final List<StartCache> OF_DOMAINS = List.of(VMM, BACKEND, GUEST);

    /** Folder of the files in the distribution. */
    public static final String FOLDER = "start";

    private enum Kind {
        /** Also objects, links between classes, and what the compilers learned. */
        ALL(".aot"),
        CLASSES(".jsa");

        final String ending;

        Kind(String ending) {
            this.ending = ending;
        }
    }

    private final Kind kind;

    StartCache(Kind kind) {
        this.kind = kind;
    }

    private Path file(Path home) {
        return inFolder(home, kind.ending);
    }

    private Path notes(Path home) {
        return inFolder(home, ".notes");
    }

    private Path inFolder(Path home, String ending) {
        return home.resolve(FOLDER).resolve(name().toLowerCase(Locale.ROOT) + ending);
    }

    /** The file, if it is there. */
    public Optional<Path> made(Path home) {
        return Optional.of(file(home)).filter(Files::isReadable);
    }

    /** Whether the file is there. */
    public boolean isMade(Path home) {
        return made(home).isPresent();
    }

    /** JVM options to note what it has loaded. */
    List<String> note(Path home) {
        return switch (kind) {
            case ALL -> List.of("-XX:AOTMode=record", "-XX:AOTConfiguration=" + notes(home));
            case CLASSES -> List.of("-XX:DumpLoadedClassList=" + notes(home));
        };
    }

    /**
     * Makes the file from the notes.
     *
     * @param options of the JVM that noted, but those of {@link #note}
     * @param classPath of that JVM
     * @return the file
     * @throws HvException FAILURE with what the JVM says
     */
    Path make(Path home, List<String> options, List<Path> classPath)
            throws HvException, IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(make(home));
        command.addAll(List.of("-cp", Installation.classPath(classPath)));
        Process java = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (java.waitFor() != 0 || !isMade(home)) {
            throw new HvException(ExitCode.FAILURE, "no start cache: " + said.strip(), "");
        }
        Files.delete(notes(home));
        return file(home);
    }

    private List<String> make(Path home) {
        return switch (kind) {
            case ALL ->
                List.of("-XX:AOTMode=create", "-XX:AOTConfiguration=" + notes(home), "-XX:AOTCache=" + file(home));
            case CLASSES ->
                List.of(
                        "-Xshare:dump",
                        "-XX:SharedClassListFile=" + notes(home),
                        "-XX:SharedArchiveFile=" + file(home));
        };
    }

    /** Deletes the file. */
    void forget(Path home) throws IOException {
        Files.deleteIfExists(file(home));
    }
}
