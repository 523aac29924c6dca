package io.hyperverbs.vmm.memory;

import io.hyperverbs.vmm.posix.Memfd;
import io.hyperverbs.vmm.posix.PosixException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All live grants. Callable from any thread. A revoked grant cannot be mapped any more; mappings
 * that exist are the HCA's to stop honouring before frames go.
 */
public final class GrantTable {
    private final Map<Long, Grant> grants = new HashMap<>();
    private final Set<Extent> sealed = new HashSet<>();
    private long lastReference;

    /**
     * Lets {@code toDomain} map an extent, for reading or for all. The first read-only grant seals
     * the extent's memory against further writable mappings, so its owner maps it before.
     *
     * @return null if it is sealed, and so cannot be granted for writing; or if it is RAM, which
     *     cannot be sealed any further, and would be granted read-only
     */
    public synchronized @Nullable Grant grant(Extent extent, int toDomain, boolean readOnly) throws PosixException {
        if (readOnly ? extent.kind() == FrameKind.RAM : sealed.contains(extent)) {
            return null;
        }
        if (readOnly && !sealed.contains(extent)) {
            Memfd.sealFutureWrites(extent.memfd());
            sealed.add(extent);
        }
        Grant grant = new Grant(++lastReference, extent, toDomain, readOnly);
        grants.put(grant.reference(), grant);
        return grant;
    }

    /** The grant that {@code domain} may map by that reference, or null. */
    public synchronized @Nullable Grant find(int domain, long reference) {
        Grant grant = grants.get(reference);
        return grant != null && grant.toDomain() == domain ? grant : null;
    }

    /** Ends a grant of {@code owner}; false if it has none of that reference. */
    public synchronized boolean revoke(int owner, long reference) {
        Grant grant = grants.get(reference);
        if (grant == null || grant.extent().owner() != owner) {
            return false;
        }
        grants.remove(reference);
        return true;
    }

    /** Whether somebody may map the extent. */
    public synchronized boolean isGranted(Extent extent) {
        return grants.values().stream().anyMatch(grant -> grant.extent() == extent);
    }

    /** Called when an extent is freed. */
    public synchronized void forget(Extent extent) {
        grants.values().removeIf(grant -> grant.extent() == extent);
        sealed.remove(extent);
    }

    /** Ends all grants by and to a domain that is gone. */
    public synchronized void removeDomain(int domain) {
        grants.values()
                .removeIf(grant -> grant.toDomain() == domain || grant.extent().owner() == domain);
        sealed.removeIf(extent -> extent.owner() == domain);
    }

    public synchronized int size() {
        return grants.size();
    }
}
