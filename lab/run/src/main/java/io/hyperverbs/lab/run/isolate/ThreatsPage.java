package io.hyperverbs.lab.run.isolate;

import io.hyperverbs.lab.run.threats.Threat;
import io.hyperverbs.lab.run.threats.Threats;
import io.hyperverbs.vmm.envelope.GroupsFound;
import io.hyperverbs.vmm.envelope.Promise;
import io.hyperverbs.vmm.envelope.Promises;
import io.hyperverbs.vmm.sandbox.SandboxTier;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The page docs/threats.md. */
public final class ThreatsPage {
    private final StringBuilder page = new StringBuilder();
    private final List<IsolationResult> results;

    private ThreatsPage(List<IsolationResult> results) {
        this.results = results;
    }

    /** In Markdown, with its last line ended. */
    public static String of(List<IsolationResult> results) {
        ThreatsPage page = new ThreatsPage(results);
        page.head();
        Threats.chapters().forEach(page::chapter);
        page.besideTheList();
        page.packs();
        return page.page.toString();
    }

    private void head() {
        line("# Threats");
        line("");
        line("Written by `hv isolate --markdown`; verdicts are those of that run.");
        line("");
        line("Each attack is a hostile guest process below the verbs library, against three" + " victims");
        line("with traffic. After each, the victims' traffic goes on with every byte right," + " nobody");
        line("else has ended, and the objects on the HCA are those of before. What tests show is");
        line("shown in each build: test classes with their methods, and cases of");
        line("[conformance](conformance.md).");
        line("");
        line("Not promised: side channels, power loss, bugs of the shared kernel, anything" + " without");
        line("a sandbox (tier 0).");
        promises();
    }

    /** What holds depends on the computer; `hv doctor` says what this one promises. */
    private void promises() {
        line("");
        line("## What each tier promises");
        line("");
        line("Of a guest, on x86-64 with a core for the engine; `hv doctor` says what a computer");
        line("promises. Attacks beyond a promise that a tier does not make have the verdict");
        line("`not promised`.");
        List<Promises> tiers = new ArrayList<>();
        StringBuilder head = new StringBuilder("| promise |");
        for (GroupsFound groups : List.of(GroupsFound.all(2), GroupsFound.none())) {
            for (SandboxTier tier : List.of(SandboxTier.ROOT, SandboxTier.USER, SandboxTier.FILES)) {
                tiers.add(Promises.ofKnownProcessor(tier, groups, true));
                head.append(" tier ").append(tier.label());
                head.append(groups.versions().isEmpty() ? "" : ", cgroups").append(" |");
            }
        }
        line("");
        line(head.toString());
        line("|---".repeat(tiers.size() + 1) + "|");
        for (Promise one : Promise.values()) {
            List<String> cells = new ArrayList<>(List.of(one.what()));
            tiers.forEach(tier -> cells.add((tier.keeps(one) ? "" : "not promised: ") + tier.how(one)));
            cells(cells.toArray(String[]::new));
        }
    }

    private void chapter(Threats.Chapter chapter) {
        line("");
        line("## " + chapter.letter() + ": " + chapter.title());
        heading();
        chapter.rows().forEach(this::row);
    }

    private void heading() {
        line("");
        line("| row | attack | shown by | from | expected | observed | verdict |");
        line("|---|---|---|---|---|---|---|");
    }

    private void row(String id, Threat threat) {
        for (IsolationResult result : results) {
            if (result.attack().rows().contains(id)) {
                cells(id, result);
            }
        }
        if (!threat.tests().isEmpty()) {
            cells(
                    id,
                    threat.attack(),
                    quoted(threat.tests()),
                    threat.from(),
                    threat.outcome(),
                    "in each build",
                    "shown");
        }
        if (!threat.reason().isEmpty()) {
            cells(id, threat.attack(), "-", threat.from(), threat.outcome(), "-", threat.reason());
        }
    }

    private void besideTheList() {
        List<IsolationResult> others = results.stream()
                .filter(one -> one.attack().rows().stream().noneMatch(Threats::has))
                .toList();
        if (!others.isEmpty()) {
            line("");
            line("## Beside the list");
            heading();
            others.forEach(one -> cells(one.attack().rowText(), one));
        }
    }

    private void packs() {
        line("");
        line("## Bugs of others");
        line("");
        line("Each is held off by the attacks, tests and conformance cases beside it.");
        line("");
        line("| where | what | held off by |");
        line("|---|---|---|");
        Threats.packs().forEach((pack, items) -> items.forEach((item, proofs) -> cells(pack, item, quoted(proofs))));
    }

    private static String quoted(List<String> names) {
        return names.stream().map(name -> "`" + name + "`").collect(Collectors.joining(", "));
    }

    private void cells(String id, IsolationResult result) {
        cells(
                id,
                result.attack().does(),
                "`" + result.attack().name() + "`",
                result.attack().anchor(),
                result.attack().expected(),
                result.observed(),
                result.verdict().word());
    }

    private void cells(String... cells) {
        for (String cell : cells) {
            page.append("| ").append(cell.replace("|", "\\|")).append(' ');
        }
        line("|");
    }

    private void line(String text) {
        page.append(text).append('\n');
    }
}
