package io.hyperverbs.verbs.sa;

import io.hyperverbs.verbs.Gid;

/**
 * How to get from one port to another ({@code ibv_path_record}, IBA 15.2.5.16).
 *
 * @param pkey partition key, 16 bits
 * @param serviceLevel 0 to 15
 * @param mtuBytes largest packet on the way
 * @param packetLifeTime code: 4.096 us x 2^n
 * @param reversible whether answers may take the same way
 */
public record PathRecord(
        Gid sourceGid,
        Gid destinationGid,
        int sourceLid,
        int destinationLid,
        int pkey,
        int serviceLevel,
        int mtuBytes,
        int packetLifeTime,
        boolean reversible) {}
