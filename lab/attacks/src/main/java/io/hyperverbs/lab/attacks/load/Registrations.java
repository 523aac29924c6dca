package io.hyperverbs.lab.attacks.load;

import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;

/** Registers memory, so many regions of a size, and gives all back. */
final class Registrations {
    private Registrations() {}

    static Load of(Home home, int count, int bytes) throws VerbsException {
        Site site = new Site(home, (long) count * bytes, 16);
        List<MemoryRegion> regions = new ArrayList<>();
        return () -> {
            for (int i = 0; i < count; i++) {
                regions.add(site.pd.register(site.memory.asSlice((long) i * bytes, bytes), Site.RIGHTS));
            }
            for (MemoryRegion region : regions) {
                region.close();
            }
            regions.clear();
        };
    }
}
