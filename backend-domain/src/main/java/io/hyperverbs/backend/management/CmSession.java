package io.hyperverbs.backend.management;

import io.hyperverbs.backend.sa.Asker;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.Session;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.VerbsStatus;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A session as management sees it. Under the lock of {@link Management}. */
final class CmSession implements CmParty {
    private static final SecureRandom RANDOM = new SecureRandom();

    final Session session;
    final Gid gid;
    final IntSupplier numbers;
    final Map<Long, CmObject.Listener> listeners = new HashMap<>();
    private final LongSupplier handles;
    private final Map<Long, CmObject> objects = new LinkedHashMap<>();
    private final Asker asker = new Asker();
    private int connectionObjects;
    private int records;

    /** Multicast groups that count as its own. */
    int groups;

    /** With handles at random, so that another session's handle finds nothing. */
    CmSession(Session session, Gid gid, IntSupplier numbers) {
        this(session, gid, numbers, () -> RANDOM.nextLong(1, Long.MAX_VALUE));
    }

    CmSession(Session session, Gid gid, IntSupplier numbers, LongSupplier handles) {
        this.session = session;
        this.numbers = numbers;
        this.gid = gid;
        this.handles = handles;
    }

    @Override
    public String name() {
        return session.name();
    }

    @Override
    public Gid gid() {
        return gid;
    }

    @Override
    public Object origin() {
        return this;
    }

    /** Its share of questions to other HCAs. */
    Asker asker() {
        return asker;
    }

    /** One that no object of the session's has. */
    long nextHandle() {
        long handle = handles.getAsLong();
        while (objects.containsKey(handle)) {
            handle = handles.getAsLong();
        }
        return handle;
    }

    @Nullable
    CmObject find(long handle) {
        return objects.get(handle);
    }

    /** The object of that kind and handle; EINVAL if there is none. */
    <T extends CmObject> T parameter(long handle, Class<T> kind) throws Refusal {
        CmObject found = objects.get(handle);
        if (!kind.isInstance(found)) {
            throw new Refusal(VerbsStatus.EINVAL, "no such " + kind.getSimpleName());
        }
        return kind.cast(found);
    }

    /** What it has of {@link QuotaKind#CM}, {@link QuotaKind#SA} or {@link QuotaKind#GROUP}. */
    int used(QuotaKind kind) {
        return switch (kind) {
            case CM -> connectionObjects;
            case SA -> records;
            case GROUP -> groups;
            default -> throw new IllegalArgumentException(kind + " is not counted here");
        };
    }

    boolean hasRoom() {
        return connectionObjects < session.quota().max(QuotaKind.CM);
    }

    /** Whether it may have one multicast group more. */
    boolean hasRoomForGroup() {
        return groups < session.quota().max(QuotaKind.GROUP);
    }

    /** EAGAIN if one more of that kind would be too much. */
    void checkRoom(QuotaKind kind) throws Refusal {
        session.quota().check(kind, used(kind), 1);
    }

    void add(CmObject object) {
        objects.put(object.handle, object);
        count(object, 1);
    }

    void remove(CmObject object) {
        if (objects.remove(object.handle) != null) {
            count(object, -1);
        }
    }

    List<CmObject> objects() {
        return List.copyOf(objects.values());
    }

    private void count(CmObject object, int change) {
        if (object.quota == QuotaKind.CM) {
            connectionObjects += change;
        } else {
            records += change;
        }
    }
}
