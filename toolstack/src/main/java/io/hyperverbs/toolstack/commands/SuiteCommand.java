package io.hyperverbs.toolstack.commands;

import io.hyperverbs.lab.run.bench.Environment;
import io.hyperverbs.lab.run.report.Origin;
import io.hyperverbs.lab.run.suite.ClaimsPage;
import io.hyperverbs.lab.run.suite.Figure;
import io.hyperverbs.lab.run.suite.FigureData;
import io.hyperverbs.lab.run.suite.FigureInfo;
import io.hyperverbs.lab.run.suite.SuiteFolder;
import io.hyperverbs.lab.run.suite.SuiteJson;
import io.hyperverbs.lab.run.suite.SuiteResult;
import io.hyperverbs.lab.run.suite.SuiteRig;
import io.hyperverbs.lab.run.suite.SuiteTerms;
import io.hyperverbs.lab.run.suite.SuiteWords;
import io.hyperverbs.lab.run.suite.upper.SuiteFigures;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.toolstack.cli.Choices;
import io.hyperverbs.toolstack.cli.CommandContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hv bench suite}. */
@Command(
        name = "suite",
        description = {
            "Repeats the evaluation of Liu 2006 (section 6), and what Liss 2003 measured of shared memory, figure by"
                + " figure, natively, with the bypass and forwarded, and says which of the papers' claims hold here.",
            "Writes a page (suite.html) with all figures and nothing to fetch, suite.json, a CSV file for each figure,"
                    + " and histograms. Starts a machine of its own for each figure and leaves nothing but the report."
        },
        footer = {
            "  hv bench suite --quick",
            "  hv bench suite --figure latency,rate --rounds 21 --out report",
            "  hv bench suite --claims docs/claims.md"
        })
public final class SuiteCommand extends HvCommand {
    @Mixin
    LaunchOptions launch = new LaunchOptions();

    @Option(names = "--quick", description = "Fewer sizes, 5 short rounds: a quarter of an hour; too short for claims.")
    boolean quick;

    @Option(
            names = "--figure",
            paramLabel = "NAME",
            split = ",",
            description = "Of verbs: latency, bandwidth, rate, blocking, registration, inter-domain, events, idle,"
                + " guests, qps, cq-server; above them: ip, ip-connected (for root), mpi-latency, mpi-bandwidth, nas,"
                + " dsm-handling, dsm-transfer, dsm-applications, dsm-traffic (default: all).")
    List<String> figures = new ArrayList<>();

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds (default: 11, quick 5).")
    @Nullable
    Integer rounds;

    @Option(names = "--out", paramLabel = "DIR", description = "Folder of the report (default: hv-reports/suite-TIME).")
    @Nullable
    String out;

    @Option(
            names = "--claims",
            paramLabel = "FILE",
            description = "Write the claims into this file too, in Markdown. Rows that it has of figures that are not"
                    + " measured stay.")
    @Nullable
    String claims;

    public SuiteCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws HvException, InterruptedException, IOException {
        List<Figure> chosen = Choices.pick(
                "--figure",
                figures,
                SuiteFigures.ALL.toArray(Figure[]::new),
                figure -> figure.info().name());
        chosen = possible(chosen);
        SuiteTerms standard = SuiteTerms.of(quick);
        SuiteTerms terms = new SuiteTerms(quick, Choices.positive("--rounds", rounds, standard.rounds()));
        ZonedDateTime began = ZonedDateTime.now(ZoneId.systemDefault());
        ReportPlace place = ReportPlace.of(context(), out, "hv-reports/suite-" + BenchCommand.STAMP.format(began));
        Path page = claims == null ? null : claimsFile(claims);
        String earlier = page != null && Files.exists(page) ? Files.readString(page) : "";
        Environment environment = Environment.here(Path.of(System.getProperty("hv.home", ".")));
        SuiteMachines machines = new SuiteMachines(context(), launch, terms);
        List<FigureData> measured = new ArrayList<>();
        int failed = measure(chosen, machines, measured);
        if (measured.isEmpty()) {
            return failed;
        }
        SuiteResult result = SuiteResult.of(measured, environment, machines.tier(), quick);
        print(result);
        Origin origin = new Origin(began, context().commandLine());
        int written = place.write(folder -> SuiteFolder.write(folder, result, origin));
        if (page != null && written == ExitCode.OK.number()) {
            written = write(page, ClaimsPage.of(result, origin, earlier));
        }
        return written == ExitCode.OK.number() ? failed : written;
    }

    /** Those that can be measured here; one that was asked for by name is not left out. */
    private List<Figure> possible(List<Figure> chosen) throws HvException {
        List<Figure> possible = new ArrayList<>();
        for (Figure figure : chosen) {
            Optional<String> obstacle = figure.obstacle();
            if (obstacle.isEmpty()) {
                possible.add(figure);
            } else if (figures.isEmpty()) {
                context().note("figure " + figure.info().name() + " is left out: " + obstacle.get());
            } else {
                throw new HvException(
                        ExitCode.FAILURE,
                        "cannot measure figure " + figure.info().name() + ": " + obstacle.get(),
                        "");
            }
        }
        return possible;
    }

    /** Figures that fail cost the exit code, and not those that were measured before; returns it. */
    private int measure(List<Figure> chosen, SuiteRig machines, List<FigureData> measured)
            throws InterruptedException, IOException {
        int code = ExitCode.OK.number();
        for (int i = 0; i < chosen.size(); i++) {
            FigureInfo info = chosen.get(i).info();
            context().note("figure " + (i + 1) + " of " + chosen.size() + ": " + info.title());
            try {
                measured.add(new FigureData(info, chosen.get(i).run(machines)));
            } catch (HvException e) {
                context().note("figure " + info.name() + " failed and is left out");
                code = context().fail(e);
            }
        }
        return code;
    }

    private void print(SuiteResult result) {
        Format format = context().options().format();
        switch (format) {
            case TABLE -> {
                context().print(SuiteWords.table(result));
                SuiteWords.sentences(result).forEach(context()::sentence);
            }
            case CSV -> context().print(SuiteWords.rows(result));
            case JSON, JSONL -> context().print(SuiteJson.of(result));
        }
    }

    /** Tried before the run, which takes long. */
    private Path claimsFile(String name) throws HvException {
        Path file = context().path(name);
        Path folder = file.getParent();
        if (Files.isDirectory(file) || folder == null || !Files.isWritable(Files.exists(file) ? file : folder)) {
            throw new HvException(
                    ExitCode.FAILURE, "cannot write the claims to " + file, "--claims names another file");
        }
        return file;
    }

    private int write(Path file, String text) {
        try {
            Files.writeString(file, text);
            return ExitCode.OK.number();
        } catch (IOException e) {
            return context()
                    .fail(new HvException(
                            ExitCode.FAILURE,
                            "cannot write the claims to " + file + ": " + ReportPlace.why(e),
                            "the report is complete"));
        }
    }
}
