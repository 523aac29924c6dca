package io.hyperverbs.vmm.cores;

import io.hyperverbs.vmm.posix.PosixException;
import io.hyperverbs.vmm.posix.ThreadAffinity;
import java.util.BitSet;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which processors the engines of a machine's HCAs and the programs of its domains run on. A real
 * HCA does not take turns with the programs that wait for it. Left to itself, the scheduler at times
 * keeps the engine and the thread that polls for it on one core for seconds, as both yield: an RDMA
 * write of 64 bytes then takes 5 us instead of 0.5 (see docs/adr/0008).
 *
 * <p>Engines have the last cores: one each as long as that leaves half of the cores to programs; more
 * engines than that share what there is for them (docs/adr/0040). Each call of {@code place...} is for
 * the calling thread; threads that it starts later inherit its place.
 *
 * @param engines of the machine that programs are kept away from
 * @param engine which of them is that of the domain's HCA, from 0; -1 for none
 */
public record EngineCores(int engines, int engine) {
    /** The setting of a domain with {@link #engines}; 1 if nothing is said. */
    public static final String ENGINES_SETTING = "hca.engines";

    /** The setting of a domain with {@link #engine}. */
    public static final String ENGINE_SETTING = "hca.engine";

    private static final Logger LOG = LoggerFactory.getLogger(EngineCores.class);

    /** Those of a machine with one HCA, of whose topology nothing else is said. */
    public static EngineCores standard() {
        return of(Map.of());
    }

    /**
     * What a domain's settings say.
     *
     * @throws IllegalArgumentException for a word or number that is none
     */
    public static EngineCores of(Map<String, String> settings) {
        boolean dedicated = CorePlacement.of(settings) == CorePlacement.DEDICATED;
        String engines = settings.getOrDefault(ENGINES_SETTING, dedicated ? "1" : "0");
        String engine = dedicated ? settings.getOrDefault(ENGINE_SETTING, "0") : "-1";
        return new EngineCores(Integer.parseUnsignedInt(engines), Integer.parseInt(engine));
    }

    /** The calling thread is the engine of the domain's HCA. */
    public void placeEngine() {
        place(true);
    }

    /** The calling thread runs a domain's program. */
    public void placeProgram() {
        place(false);
    }

    /** Without a place things are slower at times, and right all the same. */
    private void place(boolean asEngine) {
        if (asEngine ? engine < 0 : engines == 0) {
            return;
        }
        try {
            BitSet allowed = ThreadAffinity.get();
            if (coresFor(allowed.cardinality()) > 0) {
                ThreadAffinity.set(asEngine ? engineCore(allowed) : programCores(allowed));
            }
        } catch (PosixException e) {
            LOG.warn("threads are not placed on cores: {}", e.getMessage());
        }
    }

    /** How many of so many cores the engines have; 0 with one core. */
    public int coresFor(int cores) {
        return Math.min(engines, cores / 2);
    }

    /** Whether each engine has one of them to itself. */
    public boolean isOneEach(int cores) {
        return engines > 0 && coresFor(cores) == engines;
    }

    /** The last ones: the first often serves the interrupts of the computer. */
    BitSet engineCore(BitSet allowed) {
        int core = allowed.length() - 1;
        for (int i = engine % coresFor(allowed.cardinality()); i > 0; i--) {
            core = allowed.previousSetBit(core - 1);
        }
        BitSet own = new BitSet();
        own.set(core);
        return own;
    }

    /** All but the engines'. */
    public BitSet programCores(BitSet allowed) {
        BitSet cores = (BitSet) allowed.clone();
        for (int i = coresFor(allowed.cardinality()); i > 0; i--) {
            cores.clear(cores.length() - 1);
        }
        return cores;
    }
}
