package io.hyperverbs.vmm.sandbox;

import io.hyperverbs.vmm.posix.Landlock;
import io.hyperverbs.vmm.posix.PosixException;
import io.hyperverbs.vmm.posix.ProcessAttributes;
import io.hyperverbs.vmm.posix.ProgramImage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * First program of a guest in tier 1b: confines its one thread that matters and becomes the guest's
 * JVM, whose threads are all confined then. A JVM that runs already cannot do that to itself.
 *
 * <pre>
 * LandlockEntry (USE PATH)... -- COMMAND ARGUMENT...
 * </pre>
 */
final class LandlockEntry {
    private static final int CANNOT = 125;
    private static final String COMMAND = "--";

    private LandlockEntry() {}

    /** Started by the VMM alone. */
    public static void main(String... args) {
        try {
            int command = Arrays.asList(args).indexOf(COMMAND);
            Landlock.confine(rules(args, command));
            // A Landlock domain is the thread's, and the thread that started is another.
            ProcessAttributes.dieWithParent();
            ProgramImage.replace(List.of(args).subList(command + 1, args.length));
        } catch (PosixException e) {
            System.err.println("not confined: " + e.getMessage());
            System.exit(CANNOT);
        }
    }

    /** The words that {@link #main} reads. */
    static List<String> words(List<Landlock.Rule> rules, List<String> command) {
        List<String> words = new ArrayList<>();
        for (Landlock.Rule rule : rules) {
            words.add(rule.use().name().toLowerCase(Locale.ROOT));
            words.add(rule.path().toString());
        }
        words.add(COMMAND);
        words.addAll(command);
        return words;
    }

    private static List<Landlock.Rule> rules(String[] args, int end) {
        List<Landlock.Rule> rules = new ArrayList<>();
        for (int i = 0; i < end; i += 2) {
            rules.add(new Landlock.Rule(Path.of(args[i + 1]), Landlock.Use.valueOf(args[i].toUpperCase(Locale.ROOT))));
        }
        return rules;
    }
}
