package io.hyperverbs.lab.run.isolate;

import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.run.threats.Threats;
import io.hyperverbs.vmm.envelope.GroupsFound;
import io.hyperverbs.vmm.envelope.Promise;
import io.hyperverbs.vmm.envelope.Promises;
import io.hyperverbs.vmm.sandbox.SandboxTier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The page docs/threats.md: what failed, counts by chapter, what each tier promises. */
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
        page.failures();
        page.chapters();
        page.notShown();
        page.packs();
        page.promises();
        return page.page.toString();
    }

    private void head() {
        line("# Threats");
        line("");
        line("Written by `hv isolate --markdown`; verdicts are those of that run.");
        line("");
        line("Each attack is a hostile guest process below the verbs library, against three victims with traffic."
                + " After each,");
        line("the victims' traffic goes on with every byte right, nobody else has ended, and the objects on the HCA"
                + " are those of");
        line("before. Rows that no attack reaches are shown by tests of each build; `ThreatsTest` holds each row to"
                + " its proofs.");
        line("");
        line("Not promised: side channels, power loss, bugs of the shared kernel, anything without a sandbox (tier"
                + " 0).");
        line("");
        line("Details: `hv isolate --list` prints the attacks with rows, targets and sources, `hv isolate E7` makes"
                + " those of a");
        line("row, `hv isolate --format json` has what was observed; `threats/*.yaml` beside class `Threats` has"
                + " all rows with");
        line("their tests.");
    }

    private void failures() {
        List<IsolationResult> failed = results.stream()
                .filter(one -> one.verdict() != IsolationResult.Verdict.CONTAINED)
                .toList();
        line("");
        line("## What failed");
        line("");
        if (failed.isEmpty()) {
            line("Nothing: " + results.size() + " of " + results.size() + " attacks contained.");
            return;
        }
        line("| attack | expected | observed | verdict |");
        line("|---|---|---|---|");
        for (IsolationResult one : failed) {
            IsolationCase attack = one.attack();
            cells(
                    "`" + attack.name() + "`",
                    attack.expected(),
                    one.observed(),
                    one.verdict().word());
        }
    }

    private void chapters() {
        line("");
        line("## Rows");
        line("");
        line("| chapter | rows | attacked | shown by tests | attacks contained |");
        line("|---|---:|---:|---:|---:|");
        for (Threats.Chapter chapter : Threats.chapters()) {
            Set<String> rows = chapter.rows().keySet();
            List<IsolationResult> attacks = results.stream()
                    .filter(one -> one.attack().rows().stream().anyMatch(rows::contains))
                    .toList();
            Set<String> attacked = attacks.stream()
                    .flatMap(one -> one.attack().rows().stream())
                    .filter(rows::contains)
                    .collect(Collectors.toSet());
            long tested = chapter.rows().values().stream()
                    .filter(threat -> !threat.tests().isEmpty())
                    .count();
            cells(
                    chapter.letter() + ": " + chapter.title(),
                    Integer.toString(rows.size()),
                    Integer.toString(attacked.size()),
                    Long.toString(tested),
                    contained(attacks) + " of " + attacks.size());
        }
    }

    private static long contained(List<IsolationResult> attacks) {
        return attacks.stream()
                .filter(one -> one.verdict() == IsolationResult.Verdict.CONTAINED)
                .count();
    }

    private void notShown() {
        List<String> rows = Threats.rows().entrySet().stream()
                .filter(row -> !row.getValue().reason().isEmpty())
                .map(row -> "- " + row.getKey() + ", " + row.getValue().attack() + ": "
                        + row.getValue().reason())
                .toList();
        if (!rows.isEmpty()) {
            line("");
            line("Not shown:");
            line("");
            rows.forEach(this::line);
        }
    }

    private void packs() {
        line("");
        line("## Published bugs of others");
        line("");
        line("Attacks, tests and conformance cases hold off each of them; `threats/packs.yaml` names which.");
        line("");
        line("| where | bugs |");
        line("|---|---:|");
        Threats.packs().forEach((pack, items) -> cells(pack, Integer.toString(items.size())));
    }

    /** What holds depends on the computer; `hv doctor` says what this one promises. */
    private void promises() {
        line("");
        line("## What each tier promises");
        line("");
        line("Of a guest, on x86-64 with a core for the engine; `hv doctor` says what a computer promises. Attacks"
                + " beyond a");
        line("promise that a tier does not make have the verdict `not promised`.");
        for (GroupsFound groups : List.of(GroupsFound.all(2), GroupsFound.none())) {
            line("");
            line(groups.versions().isEmpty() ? "Without control groups:" : "With control groups:");
            line("");
            promises(groups);
        }
    }

    /** A row for each promise, and a cell for tiers that keep it in the same way. */
    private void promises(GroupsFound groups) {
        line("| promise | tiers | how |");
        line("|---|---|---|");
        for (Promise one : Promise.values()) {
            Map<String, List<String>> ways = new LinkedHashMap<>();
            for (SandboxTier tier : List.of(SandboxTier.ROOT, SandboxTier.USER, SandboxTier.FILES)) {
                Promises tiers = Promises.ofKnownProcessor(tier, groups, true);
                String how = (tiers.keeps(one) ? "" : "not promised: ") + tiers.how(one);
                ways.computeIfAbsent(how, any -> new ArrayList<>()).add(tier.label());
            }
            ways.forEach((how, tiers) -> cells(one.what(), String.join(", ", tiers), how));
        }
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
