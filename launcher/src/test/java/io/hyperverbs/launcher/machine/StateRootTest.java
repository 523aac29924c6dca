package io.hyperverbs.launcher.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateRootTest {
    @TempDir
    Path runtime;

    private StateRoot root() {
        return StateRoot.of(Map.of("XDG_RUNTIME_DIR", runtime.toString()));
    }

    /** As a VMM that is this very process would. */
    private MachineFolder running(String name) throws Exception {
        ProcessHandle self = ProcessHandle.current();
        return folder(name, self.pid(), self.info().startInstant().orElseThrow().toEpochMilli());
    }

    private MachineFolder folder(String name, long pid, long started) throws Exception {
        MachineFolder folder = root().folder(name);
        Files.createDirectories(folder.path());
        Files.writeString(folder.pidFile(), pid + " " + started + "\n");
        return folder;
    }

    @Test
    void liesBelowTheRuntimeFolderOrTmp() {
        String user = System.getProperty("user.name");

        assertThat(root().path()).isEqualTo(runtime.resolve("hyperverbs-" + user));
        assertThat(StateRoot.of(Map.of()).path()).isEqualTo(Path.of("/tmp/hyperverbs-" + user));
    }

    @Test
    void isMadeForTheOwnerAlone() throws Exception {
        root().prepare("t");

        assertThat(Files.getPosixFilePermissions(root().path()))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void refusesAFolderThatOthersMayEnter() throws Exception {
        Files.createDirectory(root().path());
        Files.setPosixFilePermissions(root().path(), PosixFilePermissions.fromString("rwxrwxrwx"));

        HvException failure = catchThrowableOfType(HvException.class, () -> root().prepare("t"));

        assertThat(failure.exit()).isEqualTo(ExitCode.CONFLICT);
    }

    @Test
    void refusesALinkInItsPlace() throws Exception {
        Files.createSymbolicLink(root().path(), Files.createDirectory(runtime.resolve("x")));

        assertThat(catchThrowableOfType(HvException.class, () -> root().prepare("t")))
                .isNotNull();
    }

    @Test
    void missingRuntimeFolderIsNotFound() {
        StateRoot lost =
                StateRoot.of(Map.of("XDG_RUNTIME_DIR", runtime.resolve("no").toString()));

        HvException failure = catchThrowableOfType(HvException.class, () -> lost.prepare("t"));

        assertThat(failure.exit()).isEqualTo(ExitCode.NOT_FOUND);
    }

    @Test
    void nameOfARunningTopologyIsTaken() throws Exception {
        root().prepare("t");
        running("t");

        HvException failure = catchThrowableOfType(HvException.class, () -> root().prepare("t"));

        assertThat(failure.exit()).isEqualTo(ExitCode.CONFLICT);
        assertThat(failure.problems().getFirst().hint()).contains("hv down -t t");
    }

    @Test
    void nameOfADeadOneIsFree() throws Exception {
        root().prepare("t");
        folder("t", ProcessHandle.current().pid(), 1_000);

        assertThat(root().prepare("t").name()).isEqualTo("t");
    }

    @Test
    void listsRunningOnesApart() throws Exception {
        running("b");
        folder("dead", 1, 5);
        Files.createDirectories(root().folder("empty").path());

        assertThat(root().running()).extracting(MachineFolder::name).containsExactly("b");
        assertThat(root().folders()).extracting(MachineFolder::name).containsExactly("b", "dead", "empty");
    }

    @Test
    void pidsThatAreUsedAgainAreNotTheVmm() throws Exception {
        ProcessHandle self = ProcessHandle.current();
        long started = self.info().startInstant().orElseThrow().toEpochMilli();

        assertThat(new VmmIdentity(self.pid(), started).process()).contains(self);
        assertThat(new VmmIdentity(self.pid(), started - 60_000).process()).isEmpty();
    }

    @Test
    void halfWrittenPidFileIsNobody() {
        assertThat(VmmIdentity.parse("")).isEmpty();
        assertThat(VmmIdentity.parse("123")).isEmpty();
        assertThat(VmmIdentity.parse("123 x")).isEmpty();
        assertThat(VmmIdentity.parse("123 456\n")).contains(new VmmIdentity(123, 456));
    }

    @Test
    void refusesSocketPathsThatDoNotFit() throws Exception {
        // Its sockets are at domains/NAME/hypercall.sock, 24 bytes and the name.
        String base = "/" + "x".repeat(70);
        MachineFolder folder = new MachineFolder("t", Path.of(base));

        folder.checkSocketPaths(List.of("a".repeat(107 - 71 - 24)));
        HvException failure = catchThrowableOfType(
                HvException.class, () -> folder.checkSocketPaths(List.of("a".repeat(108 - 71 - 24))));

        assertThat(failure.problems().getFirst().text()).contains("of 108 bytes, at most 107");
    }

    @Test
    void deletesWithoutFollowingLinks() throws Exception {
        Path outside = Files.writeString(runtime.resolve("precious"), "x");
        MachineFolder folder = folder("t", 1, 1);
        Files.createSymbolicLink(folder.path().resolve("link"), runtime);

        folder.delete();

        assertThat(folder.path()).doesNotExist();
        assertThat(outside).exists();
    }
}
