package io.hyperverbs.vmm.sandbox;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which sandboxes may be taken: those of one tier, and perhaps of one maker alone.
 *
 * @param tier not {@link SandboxTier#NONE}
 * @param maker as {@link Sandbox#maker} says it; null for any
 */
public record SandboxChoice(SandboxTier tier, @Nullable String maker) {
    /**
     * Reads {@code TIER} or {@code TIER:MAKER}, such as {@code 1b} or {@code 2:unshare}.
     *
     * @throws IllegalArgumentException with one line that says what is wrong
     */
    public static SandboxChoice parse(String text) {
        int colon = text.indexOf(':');
        String label = colon < 0 ? text : text.substring(0, colon);
        SandboxTier tier =
                SandboxTier.of(label).orElseThrow(() -> new IllegalArgumentException("no sandbox tier " + label));
        List<Sandbox> there = SandboxProbe.candidates(true).stream()
                .filter(one -> one.tier() == tier)
                .toList();
        String maker = colon < 0 ? null : text.substring(colon + 1);
        if (maker != null && there.stream().noneMatch(one -> one.maker().equals(maker))) {
            throw new IllegalArgumentException("tier " + label + " has no maker '" + maker + "', but "
                    + there.stream().map(Sandbox::maker).collect(Collectors.joining(" and ")));
        }
        return new SandboxChoice(tier, maker);
    }

    /** That one sandbox. */
    static SandboxChoice of(Sandbox sandbox) {
        return new SandboxChoice(sandbox.tier(), sandbox.maker());
    }

    boolean allows(Sandbox sandbox) {
        return sandbox.tier() == tier && (maker == null || sandbox.maker().equals(maker));
    }

    /** As {@link #parse} reads it. */
    @Override
    public String toString() {
        return maker == null ? tier.label() : tier.label() + ":" + maker;
    }
}
