package io.hyperverbs.vmm;

import io.hyperverbs.vmm.sandbox.SandboxChoice;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The VMM's command line.
 *
 * @param detached leaves the terminal, and does not end with standard input
 * @param groups whether guests get control groups where the computer has them
 * @param sandbox those to choose from, or null for the strongest
 * @param descriptionFile the toolstack's text for status, or null
 */
record VmmOptions(
        String name,
        Path state,
        boolean detached,
        boolean insecure,
        boolean groups,
        @Nullable SandboxChoice sandbox,
        @Nullable Path descriptionFile) {

    /**
     * @throws IllegalArgumentException with one line that says what is wrong
     */
    static VmmOptions parse(String... args) {
        String name = null;
        Path state = null;
        Path descriptionFile = null;
        boolean detached = false;
        boolean insecure = false;
        SandboxChoice sandbox = null;
        boolean groups = true;
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--detached" -> detached = true;
                case "--insecure-no-isolation" -> insecure = true;
                case "--no-cgroups" -> groups = false;
                case "--sandbox" -> sandbox = SandboxChoice.parse(value(args, ++i));
                case "--name" -> name = value(args, ++i);
                case "--state" ->
                    state = Path.of(value(args, ++i)).toAbsolutePath().normalize();
                case "--description-file" -> descriptionFile = Path.of(value(args, ++i));
                default -> throw new IllegalArgumentException("unknown argument " + args[i]);
            }
        }
        if (name == null || state == null) {
            throw new IllegalArgumentException("needs --name and --state");
        }
        return new VmmOptions(name, state, detached, insecure, groups, sandbox, descriptionFile);
    }

    private static String value(String[] args, int index) {
        if (index >= args.length) {
            throw new IllegalArgumentException(args[index - 1] + " needs a value");
        }
        return args[index];
    }
}
