package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.SideOptions;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.DomainMemory;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.RegistrationCache;
import io.hyperverbs.verbs.RegistrationCache.Lease;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Registrations that stay while nobody uses them. */
@CaseGroup("mr")
public final class RegistrationCacheCases {
    private static final Set<Access> ALL = SideOptions.standard().regionAccess();
    private static final Set<Access> LOCAL = Set.of(Access.LOCAL_WRITE);

    private RegistrationCacheCases() {}

    private static RegistrationCache cache(Rig rig) throws VerbsException {
        return rig.closing(rig.closing(rig.context().allocatePd()).createRegistrationCache());
    }

    private static void counts(RegistrationCache cache, int hits, int misses, int evictions, int regions) {
        RegistrationCache.Statistics now = cache.statistics();
        Expect.equal(
                List.of((long) hits, (long) misses, (long) evictions, regions),
                List.of(now.hits(), now.misses(), now.evictions(), now.regions()),
                "hits, misses, evictions and regions");
    }

    @Case("memory that is used again has the keys it had: choice")
    static void cacheFindsWhatItRegistered(Rig rig) throws VerbsException {
        RegistrationCache cache = cache(rig);
        MemorySegment buffer = rig.buffer(4096);
        Lease first = cache.acquire(buffer, ALL);
        int lkey = first.lkey();
        int rkey = first.rkey();
        first.close();

        try (Lease again = cache.acquire(buffer, ALL);
                Lease third = cache.acquire(buffer, ALL)) {
            Expect.equal(lkey, again.lkey(), "lkey");
            Expect.equal(rkey, third.rkey(), "rkey");
        }

        counts(cache, 2, 1, 0, 1);
    }

    @Case("a part of registered memory is found, what reaches beyond it is registered: choice")
    static void cacheFindsByRange(Rig rig) throws VerbsException {
        RegistrationCache cache = cache(rig);
        MemorySegment buffer = rig.buffer(8192);

        try (Lease front = cache.acquire(buffer.asSlice(0, 5000), LOCAL);
                Lease part = cache.acquire(buffer.asSlice(1000, 4000), LOCAL);
                Lease beyond = cache.acquire(buffer.asSlice(1000, 4001), LOCAL)) {
            Expect.equal(front.lkey(), part.lkey(), "lkey of a part");
            Expect.equal(buffer.address() + 1000, part.address(), "address of a part");
            Expect.isTrue(beyond.lkey() != front.lkey(), "the lkey of what it reaches beyond is that of the front");
        }

        counts(cache, 1, 2, 0, 2);
    }

    @Case("a registration serves for no right that it has not: choice")
    static void cacheFindsByRights(Rig rig) throws VerbsException {
        RegistrationCache cache = cache(rig);
        MemorySegment buffer = rig.buffer(64);

        try (Lease local = cache.acquire(buffer, LOCAL);
                Lease all = cache.acquire(buffer, ALL);
                Lease fewer = cache.acquire(buffer, LOCAL)) {
            Expect.equal(0, local.rkey(), "rkey without remote rights");
            Expect.isTrue(all.rkey() != 0, "no rkey with remote rights");
            Expect.isTrue(
                    fewer.lkey() == all.lkey() || fewer.lkey() == local.lkey(), "neither of the two registrations");
        }

        counts(cache, 1, 2, 0, 2);
    }

    @Case("a write through cached keys lands; after the cache is trimmed: REM_ACCESS_ERR: choice")
    static void cacheKeysWorkUntilItIsTrimmed(Rig rig) throws VerbsException {
        Rig.Pair pair = rig.pair();
        RegistrationCache cache = rig.closing(pair.responder().pd().createRegistrationCache());
        Lease lease = cache.acquire(pair.responder().buffer().asSlice(1024, 1024), ALL);
        int rkey = lease.rkey();
        long address = lease.address();
        Windows.writes(pair, rkey, address, 1024);
        lease.close();
        Windows.writes(pair, rkey, address, 1024);

        cache.trim();

        counts(cache, 0, 1, 0, 0);
        Windows.refuses(pair, rkey, address);
    }

    @Case("memory in a cache can be freed once nobody uses it, and its keys end with that: choice")
    static void cacheLetsMemoryBeFreed(Rig rig) throws VerbsException {
        RegistrationCache cache = cache(rig);
        DomainMemory memory = rig.domain().memory();
        MemorySegment freed = memory.allocate(4096, 4096);
        MemorySegment kept = rig.buffer(4096);
        cache.acquire(kept, LOCAL).close();
        Lease used = cache.acquire(freed, LOCAL);
        Expect.refused(VerbsStatus.EBUSY, "freeing memory in use", () -> memory.free(freed));
        used.close();

        memory.free(freed);

        counts(cache, 0, 2, 0, 1);
    }

    @Case("registrations that nobody uses make room where a quota ends, and no others: choice")
    static void cacheMakesRoomWithinTheQuota(Rig rig) throws VerbsException {
        ProtectionDomain pd = rig.closing(rig.context().allocatePd());
        RegistrationCache cache = rig.closing(pd.createRegistrationCache());
        MemorySegment buffer = rig.buffer(rig.domain().memory().capacityBytes() / 8);
        List<Lease> leases = new ArrayList<>();
        VerbsException refusal = null;
        while (refusal == null) {
            int cut = leases.size();
            try {
                // Each is larger than those before, so none serves for another.
                MemorySegment part = buffer.asSlice(0, buffer.byteSize() - 1000 + cut);
                leases.add(rig.closing(cache.acquire(part, LOCAL)));
            } catch (VerbsException e) {
                refusal = e;
            }
        }
        Expect.equal(VerbsStatus.EAGAIN, refusal.status(), "refusal while all are in use (" + refusal + ")");
        Expect.isTrue(Expect.text(refusal).contains("registered"), Expect.text(refusal) + " does not name the quota");
        int all = leases.size();
        leases.getFirst().close();

        rig.closing(pd.register(buffer, LOCAL));

        counts(cache, 0, all, 1, all - 1);
        Expect.refused(VerbsStatus.EAGAIN, "another one", () -> pd.register(buffer, LOCAL));
    }

    @Case("addresses of cached registrations are those of memory; ZERO_BASED: EINVAL: choice")
    static void cacheRefusesZeroBased(Rig rig) throws VerbsException {
        RegistrationCache cache = cache(rig);
        MemorySegment buffer = rig.buffer(64);

        Expect.refused(
                VerbsStatus.EINVAL,
                "a ZERO_BASED one",
                () -> cache.acquire(buffer, Set.of(Access.LOCAL_WRITE, Access.ZERO_BASED)));
    }

    @Case("a cache and its PD are not closed while a lease is out: EBUSY, and the lease goes on: choice")
    static void cacheInUseIsNotClosed(Rig rig) throws VerbsException {
        ProtectionDomain pd = rig.closing(rig.context().allocatePd());
        RegistrationCache cache = rig.closing(pd.createRegistrationCache());
        Lease lease = cache.acquire(rig.buffer(64), LOCAL);

        Expect.inUse(cache, lease);
        Expect.inUse(pd, cache);
        Expect.isTrue(lease.lkey() != 0, "lkey is 0");
        lease.close();
        cache.close();
        pd.close();

        Expect.refused(VerbsStatus.EINVAL, "a use of a closed cache", () -> cache.acquire(lease.buffer(), LOCAL));
    }
}
