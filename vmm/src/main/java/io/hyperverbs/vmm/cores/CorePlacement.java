package io.hyperverbs.vmm.cores;

import io.hyperverbs.vmm.posix.PosixException;
import io.hyperverbs.vmm.posix.ThreadAffinity;
import java.util.BitSet;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which processors the HCA's engine and the programs of domains run on. A real HCA does not take
 * turns with the programs that wait for it. Left to itself, the scheduler at times keeps the engine
 * and the thread that polls for it on one core for seconds, as both yield: an RDMA write of 64
 * bytes then takes 5 us instead of 0.5 (see docs/adr/0008). Each call is for the calling thread;
 * threads that it starts later inherit its place.
 */
public enum CorePlacement {
    /** The engine has a core to itself, where there are two; programs have all the others. */
    DEDICATED,
    /** Wherever the scheduler likes. */
    SHARED;

    /** The setting of a domain that says it. */
    public static final String SETTING = "hca.core";

    private static final Logger LOG = LoggerFactory.getLogger(CorePlacement.class);

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

    /** The calling thread is the engine. */
    public void placeEngine() {
        place(true);
    }

    /** The calling thread runs a domain's program. */
    public void placeProgram() {
        place(false);
    }

    /** Without a place things are slower at times, and right all the same. */
    private void place(boolean engine) {
        if (this == SHARED) {
            return;
        }
        try {
            BitSet allowed = ThreadAffinity.get();
            if (allowed.cardinality() > 1) {
                ThreadAffinity.set(engine ? engineCore(allowed) : programCores(allowed));
            }
        } catch (PosixException e) {
            LOG.warn("threads are not placed on cores: {}", e.getMessage());
        }
    }

    /** The last one: the first often serves the interrupts of the computer. */
    static BitSet engineCore(BitSet allowed) {
        BitSet core = new BitSet();
        core.set(allowed.length() - 1);
        return core;
    }

    /** All but the engine's. */
    public static BitSet programCores(BitSet allowed) {
        BitSet cores = (BitSet) allowed.clone();
        cores.clear(allowed.length() - 1);
        return cores;
    }
}
