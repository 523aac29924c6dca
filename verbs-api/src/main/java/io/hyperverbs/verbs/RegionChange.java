package io.hyperverbs.verbs;

import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What {@link MemoryRegion#reregister} changes; what is null stays as it is.
 *
 * @param buffer other memory, as for {@link ProtectionDomain#register} ({@code
 *     IBV_REREG_MR_CHANGE_TRANSLATION})
 * @param pd another PD of the same context ({@code IBV_REREG_MR_CHANGE_PD})
 * @param access other rights, all of them ({@code IBV_REREG_MR_CHANGE_ACCESS})
 */
public record RegionChange(
        @Nullable MemorySegment buffer,
        @Nullable ProtectionDomain pd,
        @Nullable Set<Access> access) {
    /** Bits of {@link #mask}, as messages carry it. */
    public static final int TRANSLATION = 1;

    public static final int PD = 1 << 1;
    public static final int ACCESS = 1 << 2;

    /** Nothing yet; a region does not take it as it is. */
    public static final RegionChange NONE = new RegionChange(null, null, null);

    public RegionChange {
        access = access == null ? null : Set.copyOf(access);
    }

    public RegionChange withBuffer(MemorySegment other) {
        return new RegionChange(other, pd, access);
    }

    public RegionChange withPd(ProtectionDomain other) {
        return new RegionChange(buffer, other, access);
    }

    public RegionChange withAccess(Set<Access> other) {
        return new RegionChange(buffer, pd, other);
    }

    /** What changes ({@code ibv_rereg_mr_flags}). */
    public int mask() {
        return (buffer == null ? 0 : TRANSLATION) | (pd == null ? 0 : PD) | (access == null ? 0 : ACCESS);
    }
}
