package io.hyperverbs.vmm.cores;

import java.util.Locale;
import java.util.Map;

/** What a topology wants of the processors for the engine of an HCA ({@link EngineCores}). */
public enum CorePlacement {
    /** Programs of domains do not run where the engine does, if there are two cores. */
    DEDICATED,
    /** Wherever the scheduler likes. */
    SHARED;

    /** The setting of a domain that says it. */
    public static final String SETTING = "hca.core";

    /**
     * What a domain's settings say; {@link #DEDICATED} if nothing.
     *
     * @throws IllegalArgumentException for another word
     */
    public static CorePlacement of(Map<String, String> settings) {
        return valueOf(settings.getOrDefault(SETTING, "dedicated").toUpperCase(Locale.ROOT));
    }

    /** As in settings and topologies. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
