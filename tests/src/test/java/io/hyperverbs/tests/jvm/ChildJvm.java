package io.hyperverbs.tests.jvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A JVM like this one, with this class path and the flags that the journal and native calls need;
 * what it prints goes into a file.
 */
public final class ChildJvm {
    /** What the journal and native calls need; the hv script has the same. */
    public static final List<String> FLAGS = List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
            "-Dchronicle.analytics.disable=true",
            "-Dproject.build.directory=/dev/null");

    private final Path folder;
    private final Path log;

    /**
     * @param folder where it runs; made
     * @param log what it prints, in {@code folder}
     */
    public ChildJvm(Path folder, String log) throws IOException {
        this.folder = Files.createDirectories(folder);
        this.log = folder.resolve(log);
    }

    /**
     * Runs it to its end.
     *
     * @return exit code
     * @throws AssertionError after {@code deadline}; it is killed then, with all its children
     */
    public int run(List<String> options, String mainClass, List<String> args, Duration deadline)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.addAll(options);
        command.add("-cp");
        command.add(classPath());
        command.add(mainClass);
        command.addAll(args);
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError(mainClass + " took more than " + deadline + ", see " + log);
            }
            return process.exitValue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** What it printed, or has so far. */
    public String printed() throws IOException {
        return Files.readString(log);
    }

    /** The class path of tests, also where surefire hides it in a manifest. */
    public static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
