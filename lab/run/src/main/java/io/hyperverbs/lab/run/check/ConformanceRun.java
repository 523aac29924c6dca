package io.hyperverbs.lab.run.check;

import io.hyperverbs.lab.conformance.ConformanceCase;
import io.hyperverbs.lab.conformance.catalogue.ConformanceProgram;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.InstalledPrograms;
import io.hyperverbs.launcher.progress.Progress;
import java.io.IOException;
import java.util.List;

/**
 * Runs cases on one path after the other, each path in a domain of its own, so that none slows
 * another down.
 */
public final class ConformanceRun {
    private final DomainProgram domains;
    private final Progress progress;

    public ConformanceRun(DomainProgram domains, Progress progress) {
        this.domains = domains;
        this.progress = progress;
    }

    /** Runs them all; a program that ends early leaves its cases without a verdict. */
    public PathVerdicts run(List<ConformanceCase> cases, List<CheckedPath> paths)
            throws HvException, IOException, InterruptedException {
        PathVerdicts verdicts = new PathVerdicts(cases, paths);
        List<String> names = cases.stream().map(ConformanceCase::name).toList();
        for (CheckedPath path : paths) {
            progress.begin("checking " + path.word(), cases.size());
            // All of them go without names: a command line has its limits.
            List<String> args = ConformanceProgram.namesAll(names) ? List.of() : names;
            DomainProgram.End end = domains.run(
                    path.guest(),
                    InstalledPrograms.of(ConformanceProgram.class, args),
                    line -> take(verdicts, path, line));
            if (end.exitCode() != 0 && end.exitCode() != ConformanceProgram.EXIT_FAILED) {
                verdicts.ended(path, end.text());
            }
        }
        return verdicts;
    }

    private void take(PathVerdicts verdicts, CheckedPath path, String line) {
        if (line.startsWith("PASS ")) {
            String name = line.substring("PASS ".length());
            verdicts.add(path, name, Verdict.PASSED);
            progress.step(name);
        } else if (line.startsWith("FAIL ") && line.contains(": ")) {
            int colon = line.indexOf(": ");
            String name = line.substring("FAIL ".length(), colon);
            verdicts.add(path, name, Verdict.failed(line.substring(colon + 2)));
            progress.step(name);
        }
    }
}
