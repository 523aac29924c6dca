package io.hyperverbs.lab.conformance.rig;

import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.Device;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsObject;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens what a case needs, on one data path, and closes it in the opposite order: in one domain, or the sides that have
 * contexts of their own in two domains by turns, so that a connection leads from one to the other. Each case has a rig
 * of its own. For one thread.
 */
public final class Rig implements AutoCloseable {
    private final Domain domain;
    private final @Nullable DataPathKind dataPath;
    private final LongSupplier nanoTime;
    private final Opened opened;
    /** That of the other domain, or this. */
    private final Rig far;

    private int sides;
    private int places;

    /**
     * In one domain.
     *
     * @param dataPath the path of every context it opens, or null for the domain's own
     * @param nanoTime the clock that the domain's HCA goes by
     */
    public Rig(Domain domain, @Nullable DataPathKind dataPath, LongSupplier nanoTime) {
        this(domain, null, dataPath, nanoTime, new Opened());
    }

    /** In two domains, whose HCAs go by one clock. */
    public Rig(Domain domain, Domain far, @Nullable DataPathKind dataPath, LongSupplier nanoTime) {
        this(domain, far, dataPath, nanoTime, new Opened());
    }

    private Rig(
            Domain domain,
            @Nullable Domain other,
            @Nullable DataPathKind dataPath,
            LongSupplier nanoTime,
            Opened opened) {
        this.domain = domain;
        this.dataPath = dataPath;
        this.nanoTime = nanoTime;
        this.opened = opened;
        this.far = other == null ? this : new Rig(other, null, dataPath, nanoTime, opened);
    }

    /** A requester and a responder, connected to each other and in RTS. */
    public record Pair(Side requester, Side responder) {
        /** The same connection with the roles exchanged. */
        public Pair reversed() {
            return new Pair(/* requester= */ responder, /* responder= */ requester);
        }
    }

    /** Where the next side with a context of its own goes. */
    Rig nextPlace() {
        return places++ % 2 == 0 ? this : far;
    }

    /** The domain of the first side. */
    public Domain domain() {
        return domain;
    }

    /** Nanoseconds of the clock that the HCA goes by. */
    public long nanoTime() {
        return nanoTime.getAsLong();
    }

    /** The path asked for, or null for the domain's own. */
    public @Nullable DataPathKind dataPath() {
        return dataPath;
    }

    /** The first device of the domain. */
    public Device device() {
        List<Device> devices = domain.devices();
        Expect.isTrue(!devices.isEmpty(), "the domain has no device");
        return devices.getFirst();
    }

    /** A new context on the rig's path. */
    public Context context() throws VerbsException {
        return closing(dataPath == null ? device().open() : device().open(dataPath));
    }

    /** Has {@code object} closed when the case ends; what was opened last is closed first. */
    public <T extends VerbsObject> T closing(T object) {
        opened.add(object::close);
        return object;
    }

    /** Has {@code step} taken when the case ends, in turn with what is closed then. */
    void ending(Opened.Step step) {
        opened.add(step);
    }

    /** A zeroed buffer, given back when the case ends. */
    public MemorySegment buffer(long lengthBytes) throws VerbsException {
        return buffer(lengthBytes, 64);
    }

    /** A zeroed buffer of that alignment, given back when the case ends. */
    public MemorySegment buffer(long lengthBytes, long alignmentBytes) throws VerbsException {
        MemorySegment buffer = domain.memory().allocate(lengthBytes, alignmentBytes);
        opened.add(() -> {
            // What was not closed may be registered still: nobody else may get its memory.
            if (!opened.hasFailed()) {
                domain.memory().free(buffer);
            }
        });
        return buffer;
    }

    /** A side with a context of its own, its queue pair in RESET. */
    public Side side(SideOptions options) throws VerbsException {
        Rig place = nextPlace();
        return new Side(place, nextName(), place.context(), options);
    }

    private String nextName() {
        return "side " + (char) ('A' + sides++);
    }

    /** A side in a context that exists, its queue pair in RESET. */
    public Side side(Context context, SideOptions options) throws VerbsException {
        return new Side(this, nextName(), context, options);
    }

    /** A side in a PD that exists, its queue pair in RESET. */
    public Side sideIn(ProtectionDomain pd, SideOptions options) throws VerbsException {
        return new Side(this, nextName(), pd, options);
    }

    /** Two sides with the standard options, connected. */
    public Pair pair() throws VerbsException {
        return pair(SideOptions.standard());
    }

    /** Two sides with the same options, connected. */
    public Pair pair(SideOptions options) throws VerbsException {
        return pair(options, options);
    }

    /** Two sides in contexts of their own, connected. */
    public Pair pair(SideOptions requester, SideOptions responder) throws VerbsException {
        return connect(side(requester), side(responder));
    }

    /** Takes both from RESET to RTS. */
    public Pair connect(Side requester, Side responder) throws VerbsException {
        responder.connect(requester.endpoint());
        requester.connect(responder.endpoint());
        return new Pair(requester, responder);
    }

    /** Closes everything; the first failure is thrown, the others are attached to it. */
    @Override
    public void close() throws VerbsException {
        opened.undo();
    }
}
