package io.hyperverbs.frontend;

import io.hyperverbs.frontend.cache.CacheReport;
import io.hyperverbs.verbs.Store;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.hypercall.Hypercalls;
import java.time.Duration;
import java.util.Optional;

/** The store as a domain sees it, by hypercalls. The VMM judges keys and sizes. Any thread. */
final class DomainStore implements Store {
    private final Hypercalls machine;

    DomainStore(Hypercalls machine) {
        this.machine = machine;
    }

    @Override
    public void write(String key, String value) throws VerbsException {
        try {
            machine.storeWrite(key, value);
        } catch (HypercallException e) {
            throw refused(key, e);
        }
    }

    /** Writes what {@code hv inspect} shows of the caches of registrations; what cannot be written is not shown. */
    void report(String caches) {
        try {
            machine.storeWrite(CacheReport.KEY, caches);
        } catch (HypercallException e) {
            // The next one will be; without room in the store nothing of the program's is to fail.
        }
    }

    @Override
    public void remove(String key) throws VerbsException {
        try {
            machine.storeRemove(key);
        } catch (HypercallException e) {
            throw refused(key, e);
        }
    }

    @Override
    public Optional<String> read(String domain, String key) throws VerbsException {
        return read(domain, key, Duration.ZERO);
    }

    @Override
    public String await(String domain, String key, Duration timeout) throws VerbsException {
        return read(domain, key, timeout)
                .orElseThrow(() ->
                        new VerbsException(VerbsStatus.ETIMEDOUT, "no " + path(domain, key) + " after " + timeout));
    }

    private Optional<String> read(String domain, String key, Duration wait) throws VerbsException {
        try {
            return machine.storeRead(path(domain, key), wait);
        } catch (HypercallException e) {
            throw refused(path(domain, key), e);
        }
    }

    private static String path(String domain, String key) {
        return "domain/" + domain + "/" + key;
    }

    private static VerbsException refused(String key, HypercallException e) {
        return new VerbsException(e.status(), "store key " + key + ": " + e.getMessage());
    }
}
