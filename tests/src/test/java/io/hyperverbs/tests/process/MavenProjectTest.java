package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.ledger.RunsWhenChanged;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another Maven project builds a program on the verbs API, offline, and a guest runs it: examples/maven. */
@RunsWhenChanged
class MavenProjectTest {
    private static final Path TOP = Path.of("").toAbsolutePath().getParent();
    private static final Path LOCAL_REPOSITORY =
            Path.of(System.getProperty("localRepository", System.getProperty("user.home") + "/.m2/repository"));
    private static final String VERSION = "0.1.0";

    @TempDir
    Path folder;

    @Test
    void programOfAnotherProjectRunsInAGuest() throws Exception {
        Path project = folder.resolve("project");
        copy(TOP.resolve("examples/maven"), project);
        Path repository = repositoryWithTheApi();

        ProcessBuilder maven = new ProcessBuilder(
                        "mvn", "-o", "-B", "-q", "-Dmaven.test.skip", "-Dmaven.repo.local=" + repository, "package")
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile());
        // A JVM of seconds.
        maven.environment()
                .merge("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC", (old, ours) -> old + " " + ours);
        Process build = maven.start();
        assertThat(build.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(build.exitValue())
                .as("%s", Files.readString(folder.resolve("log")))
                .isZero();

        try (HvProcess hv = new HvProcess()) {
            String jar = project.resolve("target/verbs-program.jar").toString();
            assertThat(hv.run("run", jar).expect(0).out()).isEqualTo("run counted to 3\n");
        }
    }

    /** As {@code mvn install} leaves it; all else is that of this build, by links, and stays as it is. */
    private Path repositoryWithTheApi() throws IOException {
        Path repository = Files.createDirectory(folder.resolve("repository"));
        linkAllBut("io", LOCAL_REPOSITORY, repository);
        Path io = Files.createDirectory(repository.resolve("io"));
        linkAllBut("hyperverbs", LOCAL_REPOSITORY.resolve("io"), io);
        install(io, "hyperverbs", TOP.resolve("pom.xml"), "pom");
        install(io, "verbs-api", TOP.resolve("verbs-api/pom.xml"), "pom");
        install(io, "verbs-api", TOP.resolve("verbs-api/target/verbs-api-" + VERSION + ".jar"), "jar");
        return repository;
    }

    private static void linkAllBut(String name, Path from, Path into) throws IOException {
        try (Stream<Path> entries = Files.list(from)) {
            for (Path entry : entries.toList()) {
                if (!entry.endsWith(name)) {
                    Files.createSymbolicLink(into.resolve(entry.getFileName()), entry);
                }
            }
        }
    }

    private static void install(Path io, String artifact, Path file, String kind) throws IOException {
        Path place = Files.createDirectories(io.resolve(Path.of("hyperverbs", artifact, VERSION)));
        Files.copy(file, place.resolve(artifact + "-" + VERSION + "." + kind));
    }

    private static void copy(Path from, Path into) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(from)) {
            files = all.filter(path -> !path.startsWith(from.resolve("target"))).toList();
        }
        for (Path file : files) {
            Files.copy(file, into.resolve(from.relativize(file).toString()));
        }
    }
}
