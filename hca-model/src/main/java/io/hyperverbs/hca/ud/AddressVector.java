package io.hyperverbs.hca.ud;

import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.Gid;

/**
 * An address handle as the HCA keeps it.
 *
 * @param number what work requests name it by
 * @param index its entry in the context memory
 * @param lid where datagrams go: of a port or a group; 0 if LID and GID name no port together
 * @param source GID of the sending port
 */
public record AddressVector(
        int number, int index, int pd, AddressAttributes to, int lid, Gid source) {}
