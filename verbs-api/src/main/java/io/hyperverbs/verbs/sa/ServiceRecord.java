package io.hyperverbs.verbs.sa;

import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PrivateData;

/**
 * A service that a port offers (ServiceRecord, IBA 15.2.5.14).
 *
 * @param id service id, 64 bits, not 0
 * @param port GID of the port that offers it
 * @param name at most {@value #MAX_NAME_BYTES} bytes of UTF-8
 * @param data at most {@value #MAX_DATA_BYTES} bytes
 */
public record ServiceRecord(long id, Gid port, String name, PrivateData data) {
    public static final int MAX_NAME_BYTES = 64;
    public static final int MAX_DATA_BYTES = 64;
}
