package io.hyperverbs.launcher.machine;

import io.hyperverbs.vmm.domain.Executables;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program ready to run in a domain.
 *
 * @param mainClass with {@code public static void main(String[])}, or {@link Executables#PROGRAM}
 * @param files jars and class folders besides the guest class path, to be copied to the domain
 * @param brief whether it ends before the slower one of the JVM's compilers would pay
 * @param input whether its standard input is what the toolstack sends it; else it is at its end
 */
public record Program(String mainClass, List<Path> files, List<String> args, boolean brief, boolean input) {
    public Program {
        files = List.copyOf(files);
        args = List.copyOf(args);
    }

    public Program(String mainClass, List<Path> files, List<String> args, boolean brief) {
        this(mainClass, files, args, brief, false);
    }

    public Program(String mainClass, List<Path> files, List<String> args) {
        this(mainClass, files, args, false);
    }

    /** An executable of the computer: a path, or a name that is looked for where executables are. */
    public static Program executable(String command, List<String> args) {
        List<String> words = new ArrayList<>(List.of(command));
        words.addAll(args);
        return new Program(Executables.PROGRAM, List.of(), words);
    }

    /** The same program, brief or not. */
    public Program withBrief(boolean isBrief) {
        return new Program(mainClass, files, args, isBrief, input);
    }

    /** The same program, which is sent standard input. */
    public Program withInput() {
        return new Program(mainClass, files, args, brief, true);
    }
}
