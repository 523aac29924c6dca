package io.hyperverbs.toolstack.machine;

import io.hyperverbs.toolstack.cli.ExitCode;
import io.hyperverbs.toolstack.cli.HvException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Classes as a JVM has them once it has started, kept for its next start: one file for each kind of
 * process, in {@code start/} of the distribution (JEP 483, JEP 514). With it a start costs about 60
 * % of the processor time. A JVM whose file is missing, or older than its jars, starts without. The
 * device domain and guests have none: it made their data path slower (docs/adr/0015).
 */
public enum StartCache {
    TOOL,
    VMM;

    /** Folder of the files in the distribution. */
    public static final String FOLDER = "start";

    private Path file(Path home) {
        return home.resolve(FOLDER).resolve(name().toLowerCase(Locale.ROOT) + ".aot");
    }

    /** JVM options to use the file, if it is there. */
    List<String> use(Path home) {
        Path file = file(home);
        // What does not fit is no news to a user.
        return Files.isReadable(file)
                ? List.of("-XX:AOTCache=" + file, "-Xlog:aot*=off", "-Xlog:class+path=off")
                : List.of();
    }

    /** JVM options to note at the process's end what it has loaded. */
    List<String> note(Path home) {
        return List.of("-XX:AOTMode=record", "-XX:AOTConfiguration=" + notes(home));
    }

    /**
     * Makes the file from the notes.
     *
     * @param options of the JVM that noted, but those of {@link #note}
     * @param classPath of that JVM
     * @throws HvException FAILURE with what the JVM says
     */
    void make(Path home, List<String> options, List<Path> classPath)
            throws HvException, IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("-XX:AOTMode=create");
        command.add("-XX:AOTConfiguration=" + notes(home));
        command.add("-XX:AOTCache=" + file(home));
        command.addAll(List.of("-cp", Distribution.classPath(classPath)));
        Process java = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (java.waitFor() != 0 || !isMade(home)) {
            throw new HvException(ExitCode.FAILURE, "no start cache: " + said.strip(), "");
        }
        Files.delete(notes(home));
    }

    /** Deletes the file. */
    void forget(Path home) throws IOException {
        Files.deleteIfExists(file(home));
    }

    private Path notes(Path home) {
        return home.resolve(FOLDER).resolve(name().toLowerCase(Locale.ROOT) + ".notes");
    }

    /** Whether the file is there. */
    public boolean isMade(Path home) {
        return Files.isReadable(file(home));
    }
}
