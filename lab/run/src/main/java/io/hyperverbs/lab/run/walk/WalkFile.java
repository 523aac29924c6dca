package io.hyperverbs.lab.run.walk;

import io.hyperverbs.lab.run.check.CheckedPath;
import io.hyperverbs.lab.walk.choose.StepSource;
import io.hyperverbs.lab.walk.step.Step;
import io.hyperverbs.lab.walk.step.StepText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A sequence as text, to be run again: a line with the paths of its domains, one for each step, and
 * comments.
 *
 * @param paths none: all in one process
 */
public record WalkFile(List<CheckedPath> paths, List<Step> steps) {
    private static final String PATHS = "# paths ";
    private static final String IN_PROCESS = "in-process";

    public WalkFile {
        paths = List.copyOf(paths);
        steps = List.copyOf(steps);
    }

    /**
     * @param comments lines that say where it comes from
     */
    public String format(List<String> comments) {
        List<String> lines = new ArrayList<>();
        lines.add(PATHS
                + (paths.isEmpty()
                        ? IN_PROCESS
                        : paths.stream().map(CheckedPath::word).collect(Collectors.joining(" "))));
        comments.forEach(line -> lines.add("# " + line));
        steps.forEach(step -> lines.add(StepText.format(step)));
        return String.join("\n", lines) + "\n";
    }

    /**
     * Reads back what {@link #format} wrote.
     *
     * @throws IllegalArgumentException if a line is none of a walk
     */
    public static WalkFile parse(String text) {
        String words = text.lines()
                .filter(line -> line.startsWith(PATHS))
                .map(line -> line.substring(PATHS.length()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no line begins with '" + PATHS + "'"));
        List<CheckedPath> paths = words.equals(IN_PROCESS)
                ? List.of()
                : Stream.of(words.split(" ", -1)).map(CheckedPath::of).toList();
        return new WalkFile(paths, StepText.parseAll(text));
    }

    StepSource source() {
        return StepSource.of(steps);
    }
}
