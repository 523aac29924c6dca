package io.hyperverbs.toolstack.commands;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Which MPIs {@code hv mpirun} finds on a computer.
 *
 * @param works whether there is one at least
 * @param words which there are, and what to install for the others
 */
record MpiFound(boolean works, String words) {
    /**
     * Looks for each {@link MpiKind}.
     *
     * @param usr such as {@code /usr}
     */
    static MpiFound in(Path usr) {
        List<String> there = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (MpiKind kind : MpiKind.values()) {
            kind.missing(usr).ifPresentOrElse(missing::add, () -> there.add(kind.title()));
        }
        if (there.isEmpty()) {
            return new MpiFound(false, String.join(", ", missing));
        }
        List<String> words = new ArrayList<>(List.of("hv mpirun runs programs of " + String.join(" and ", there)));
        words.addAll(missing);
        return new MpiFound(true, String.join("; ", words));
    }
}
