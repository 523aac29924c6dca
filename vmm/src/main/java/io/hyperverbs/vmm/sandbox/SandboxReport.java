package io.hyperverbs.vmm.sandbox;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the probe found.
 *
 * @param sandbox the strongest that works; null if none does
 * @param reasons one line for each that was tried and does not work
 */
public record SandboxReport(@Nullable Sandbox sandbox, List<String> reasons) {
    public SandboxReport {
        reasons = List.copyOf(reasons);
    }

    public SandboxTier tier() {
        return sandbox == null ? SandboxTier.NONE : sandbox.tier();
    }

    /** One line for a person. */
    public String summary() {
        return sandbox == null
                ? "tier 0 (no sandbox works: " + String.join("; ", reasons) + ")"
                : "tier " + tier().label() + " (" + sandbox.description() + ")";
    }
}
