package io.hyperverbs.vmm.domain;

import io.hyperverbs.verbs.VerbsStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All domains by name, the ended ones until their name is used again. The one place that changes a
 * domain's state. Callable from any thread.
 */
final class DomainTable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, DomainRecord> byName = new LinkedHashMap<>();
    private final Map<Integer, DomainRecord> byId = new HashMap<>();

    /** Adds a domain in STARTING. */
    void add(DomainRecord domain) throws MachineException {
        lock.lock();
        try {
            DomainRecord old = byName.get(domain.name());
            if (old != null && !old.state.ended()) {
                throw new MachineException(VerbsStatus.EBUSY, "domain " + domain.name() + " is there already");
            }
            byName.remove(domain.name());
            byName.put(domain.name(), domain);
            byId.put(domain.id(), domain);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Changes a domain's state; false, and nothing changed, if there is no such move. */
    boolean move(DomainRecord domain, DomainState to) {
        lock.lock();
        try {
            if (!DomainMoves.isLegal(domain.state, to)) {
                return false;
            }
            domain.state = to;
            if (to.ended()) {
                byId.remove(domain.id());
            }
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    DomainState stateOf(DomainRecord domain) {
        lock.lock();
        try {
            return domain.state;
        } finally {
            lock.unlock();
        }
    }

    @Nullable
    DomainRecord find(String name) {
        lock.lock();
        try {
            return byName.get(name);
        } finally {
            lock.unlock();
        }
    }

    /** The domain with that id, unless it has ended. */
    @Nullable
    DomainRecord find(int id) {
        lock.lock();
        try {
            return byId.get(id);
        } finally {
            lock.unlock();
        }
    }

    /** Domains that have not ended, in the order they were started. */
    List<DomainRecord> live() {
        lock.lock();
        try {
            return byName.values().stream()
                    .filter(domain -> !domain.state.ended())
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    DomainReport report(DomainRecord domain) {
        lock.lock();
        try {
            return domain.report();
        } finally {
            lock.unlock();
        }
    }

    List<DomainReport> reports() {
        lock.lock();
        try {
            List<DomainReport> reports = new ArrayList<>();
            byName.values().forEach(domain -> reports.add(domain.report()));
            return reports;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until a domain is in one of some states.
     *
     * @param abandoned looked at whenever {@link #wake} is called
     * @return whether it is, after {@code maxNanos} at most
     */
    boolean await(DomainRecord domain, Set<DomainState> states, long maxNanos, BooleanSupplier abandoned)
            throws InterruptedException {
        long left = maxNanos;
        lock.lock();
        try {
            while (!states.contains(domain.state)) {
                if (left <= 0 || abandoned.getAsBoolean()) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    boolean await(DomainRecord domain, Set<DomainState> states, long millis) throws InterruptedException {
        return await(domain, states, TimeUnit.MILLISECONDS.toNanos(millis), () -> false);
    }

    /** Lets all who wait look again. */
    void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
