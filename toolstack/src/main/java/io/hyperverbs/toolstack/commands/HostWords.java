package io.hyperverbs.toolstack.commands;

import io.hyperverbs.toolstack.cli.GlobalOptions;
import java.util.ArrayList;
import java.util.List;

/** A command line as a host is to run it. */
final class HostWords {
    private HostWords() {}

    /**
     * The words without {@code -t} and {@code --host}, which the host has no use for; the command first.
     *
     * @param command its name
     * @param args as they were given
     */
    static List<String> of(String command, List<String> args, GlobalOptions options) {
        List<String> words = new ArrayList<>(args);
        // The first is the option's own: what a program gets comes after it.
        if (options.topology() != null) {
            remove(words, List.of("-t", "--topo"));
        }
        if (options.host() != null) {
            remove(words, List.of("--host"));
        }
        words.remove(command);
        words.addFirst(command);
        return words;
    }

    private static void remove(List<String> words, List<String> names) {
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (names.contains(word)) {
                words.remove(i);
                words.remove(i);
                return;
            }
            for (String name : names) {
                boolean isShort = !name.startsWith("--");
                if (word.startsWith(isShort ? name : name + "=") && !word.startsWith("--") == isShort) {
                    words.remove(i);
                    return;
                }
            }
        }
    }
}
