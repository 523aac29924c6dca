package io.hyperverbs.launcher.context;

import io.hyperverbs.vmm.domain.DomainReport;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a table of the HCA's on-board memory, and what is needed to read it.
 *
 * @param offset byte offset in {@code memory}
 * @param hca name of the HCA
 */
public record Entry(MemorySegment memory, long offset, String hca, List<DomainReport> domains) {
    /** The domain of that id; null if it is gone by now. */
    @Nullable
    DomainReport domain(long id) {
        for (DomainReport domain : domains) {
            if (domain.id() == id) {
                return domain;
            }
        }
        return null;
    }

    @Nullable
    Object pidOf(long id) {
        DomainReport domain = domain(id);
        return domain == null || domain.pid() == 0 ? null : domain.pid();
    }

    @Nullable
    Object nameOf(long id) {
        DomainReport domain = domain(id);
        return domain == null ? null : domain.name();
    }
}
