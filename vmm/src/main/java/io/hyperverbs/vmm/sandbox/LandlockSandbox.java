package io.hyperverbs.vmm.sandbox;

import io.hyperverbs.vmm.posix.Landlock;
import io.hyperverbs.vmm.posix.Landlock.Rule;
import io.hyperverbs.vmm.posix.Landlock.Use;
import io.hyperverbs.vmm.posix.Seccomp;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * For computers without namespaces: Landlock names the files that a guest may use, and {@link
 * Confinement} refuses it the system calls that reach others (docs/adr/0010). It sees the numbers
 * of the computer's processes, and writes no file once its program runs.
 */
final class LandlockSandbox implements Sandbox {
    /** Set in a guest's JVM whose sockets have no walls but the filter of system calls. */
    static final String NO_SOCKETS = "hyperverbs.sandbox.noSockets";

    /** What a JVM loads or reads; paths that this computer does not have are passed over. */
    private static final List<Rule> SYSTEM = List.of(
            new Rule(Path.of("/usr/lib"), Use.RUN),
            new Rule(Path.of("/usr/lib64"), Use.RUN),
            new Rule(Path.of("/lib"), Use.RUN),
            new Rule(Path.of("/lib64"), Use.RUN),
            new Rule(Path.of("/etc/ld.so.cache"), Use.READ),
            new Rule(Path.of("/etc/localtime"), Use.READ),
            new Rule(Path.of("/proc/self"), Use.READ),
            new Rule(Path.of("/proc/meminfo"), Use.READ),
            new Rule(Path.of("/proc/stat"), Use.READ),
            new Rule(Path.of("/proc/cpuinfo"), Use.READ),
            new Rule(Path.of("/sys/devices/system/cpu"), Use.READ),
            new Rule(Path.of("/dev/random"), Use.READ),
            new Rule(Path.of("/dev/urandom"), Use.READ),
            new Rule(Path.of("/dev/null"), Use.WRITE));

    @Override
    public SandboxTier tier() {
        return SandboxTier.FILES;
    }

    @Override
    public String description() {
        int abi = Landlock.abi();
        return abi == 0 ? "Landlock" : "Landlock ABI " + abi + " + seccomp";
    }

    @Override
    public String maker() {
        return "landlock";
    }

    @Override
    public List<String> command(ConfinedJvm jvm) {
        if (Landlock.abi() == 0 || !Seccomp.AVAILABLE) {
            throw new IllegalStateException(
                    Seccomp.AVAILABLE
                            ? "the kernel has no Landlock"
                            : "no filter for the system calls of this processor");
        }
        List<String> command = new ArrayList<>();
        command.addAll(SandboxProbe.isRoot() ? GuestView.dropPrivileges() : GuestView.giveUpNew());
        command.addAll(GuestView.limitsOfAProcess(jvm));
        command.addAll(OwnJvm.command(jvm.javaHome(), LandlockEntry.class));
        command.addAll(LandlockEntry.words(rules(jvm), guest(jvm)));
        return command;
    }

    private static List<Rule> rules(ConfinedJvm jvm) {
        List<Rule> rules = new ArrayList<>(SYSTEM);
        rules.add(new Rule(jvm.javaHome(), Use.RUN));
        // The entry loads the rest of itself after it is confined.
        rules.add(new Rule(Path.of(OwnJvm.classes()), Use.READ));
        jvm.classPath().forEach(entry -> rules.add(new Rule(entry, Use.READ)));
        jvm.startArchive().ifPresent(file -> rules.add(new Rule(file, Use.READ)));
        rules.add(new Rule(jvm.folder(), Use.READ));
        // For the native library that netty unpacks as it loads; the guest's filter of system calls
        // then lets no file be opened for writing any more.
        rules.add(new Rule(jvm.folder().resolve("out"), Use.WRITE));
        return rules;
    }

    private static List<String> guest(ConfinedJvm jvm) {
        List<String> options = new ArrayList<>(jvm.jvmOptions());
        options.add("-D" + NO_SOCKETS + "=true");
        options.add("-Djava.io.tmpdir=" + jvm.folder().resolve("out"));
        // It would look at files of the computer that are closed to it.
        options.add("-XX:-UseContainerSupport");
        ConfinedJvm confined = new ConfinedJvm(
                jvm.javaHome(),
                jvm.classPath(),
                jvm.startArchive(),
                jvm.executables(),
                jvm.folder(),
                jvm.memoryBytes(),
                jvm.uid(),
                options,
                jvm.mainClass(),
                jvm.args());
        return GuestView.jvmOutside(confined);
    }
}
