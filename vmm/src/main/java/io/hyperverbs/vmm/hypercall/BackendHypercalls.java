package io.hyperverbs.vmm.hypercall;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.memory.FrameKind;
import io.hyperverbs.vmm.memory.MappedExtent;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the backend domain may ask besides. Callable from any thread. */
public interface BackendHypercalls extends Hypercalls {
    /**
     * All machine memory this process may reach, as one segment: machine frame f starts at byte f *
     * 4096. Extents appear in it as they are announced or allocated, and turn into private zeroes
     * when their domain is removed; so an access never faults.
     */
    MemorySegment machineMemory();

    /**
     * Takes new zeroed frames for this domain, in a memfd of their own, mapped into {@link
     * #machineMemory}.
     */
    MappedExtent allocateFrames(FrameKind kind, long frames) throws HypercallException;

    /** Gives frames of {@link #allocateFrames} back; grants of them must be revoked. */
    void freeFrames(MappedExtent extent) throws HypercallException;

    /**
     * Lets a domain map an extent of this one. Read-only seals the memfd against further writable
     * maps.
     */
    long grant(MappedExtent extent, int toDomain, boolean readOnly) throws HypercallException;

    void revokeGrant(long reference) throws HypercallException;

    /**
     * Pins frames of {@code domain}, all or none. Which frames are its RAM the VMM has said.
     *
     * @param asRing the frames become QUEUE: they must not be pinned, and cannot be registered
     *     until unpinned
     * @throws HypercallException EFAULT if a frame is not RAM of that domain
     */
    void pin(int domain, List<FrameRun> runs, boolean asRing) throws HypercallException;

    void unpin(int domain, List<FrameRun> runs, boolean asRing) throws HypercallException;

    /** Waits for the next notice. */
    DomainNotice nextNotice() throws HypercallException;

    void acknowledge(DomainNotice notice, VerbsStatus status, String message) throws HypercallException;

    /** Acknowledges a notice with the answer that it asks for. */
    void report(DomainNotice.SessionAsked notice, SessionReport report) throws HypercallException;

    /** Writes {@code domain/<name>/<key>} for a native domain; a null value removes it. */
    void storeWriteFor(int domain, String key, @Nullable String value) throws HypercallException;

    /** The network interface of a native domain; as {@link Hypercalls#takeNetwork}. */
    default Optional<NetworkDevice> takeNetworkFor(int domain) throws HypercallException {
        return Optional.empty();
    }

    /** A guest or native domain of the machine, whichever HCA it is on; empty if there is none. */
    Optional<DomainPlace> find(String name) throws HypercallException;

    /** The program of a native domain ended. */
    void nativeExited(int domain, int exitCode) throws HypercallException;
}
