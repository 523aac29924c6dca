package io.hyperverbs.vmm.hypercall;

import io.hyperverbs.vmm.memory.MappedExtent;
import java.time.Duration;
import java.util.Optional;

/**
 * What any domain may ask of the VMM. Callable from any thread; calls that wait hold up nobody
 * else.
 */
public interface Hypercalls extends AutoCloseable {
    /** The answer to the first call, made when the connection was set up. */
    Boot boot();

    /** The domain's driver is up. */
    void ready() throws HypercallException;

    /**
     * Maps what another domain granted to this one; read-only where the grant says so.
     *
     * @throws HypercallException ENOENT for a reference that is not this domain's to map
     */
    MappedExtent mapGrant(long reference) throws HypercallException;

    /** Unmaps what {@link #mapGrant} mapped; nobody may use its memory any more. */
    void unmap(MappedExtent extent);

    /** Writes {@code domain/<own name>/<key>}. */
    void storeWrite(String key, String value) throws HypercallException;

    /** Removes {@code domain/<own name>/<key>}, if it is there. */
    void storeRemove(String key) throws HypercallException;

    /**
     * Reads a full path such as {@code domain/b/endpoint}, or {@code domain/tool/round} of the
     * toolstack.
     *
     * @param wait how long to wait for the key to exist; zero: not at all
     */
    Optional<String> storeRead(String path, Duration wait) throws HypercallException;

    /**
     * The network interface of this domain, which is the caller's from now on; asked once.
     *
     * @return empty if its topology gives it no address
     */
    default Optional<NetworkDevice> takeNetwork() throws HypercallException {
        return Optional.empty();
    }

    /** Rings this domain's doorbell eventfd: wakes the HCA. Guests only. Never blocks. */
    void ringDoorbellEvent();

    /**
     * Runs {@code action} on the connection's thread when the VMM is gone; default: the process
     * halts with 1.
     */
    void onVmmGone(Runnable action);

    @Override
    void close();
}
