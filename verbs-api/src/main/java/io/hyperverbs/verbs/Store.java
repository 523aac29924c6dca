package io.hyperverbs.verbs;

import java.time.Duration;
import java.util.Optional;

/**
 * A small key-value store of the topology (Xen's xenstore): a domain writes under its own name and
 * reads everybody's. Keys are {@code domain/name/...} paths, values text of at most 48 KiB. What a
 * domain wrote can be read after its end, until the topology ends or a domain of that name begins.
 * Callable from any thread.
 */
public interface Store {
    /**
     * Writes {@code domain/<own name>/<key>}.
     *
     * @throws VerbsException EINVAL for a bad key or an oversized value; EAGAIN above the quota
     */
    void write(String key, String value) throws VerbsException;

    /** Removes {@code domain/<own name>/<key>}, if it is there. */
    void remove(String key) throws VerbsException;

    /** Reads {@code domain/<domain>/<key>}. */
    Optional<String> read(String domain, String key) throws VerbsException;

    /**
     * Waits, without using the processor, until the key exists.
     *
     * @throws VerbsException ETIMEDOUT after {@code timeout}; ENOENT, at once, if the domain has
     *     ended and did not write it
     */
    String await(String domain, String key, Duration timeout) throws VerbsException;
}
