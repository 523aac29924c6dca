package io.hyperverbs.hca.ud;

import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.Gid;

/**
 * An address handle as the HCA keeps it.
 *
 * @param number what work requests name it by
 * @param index its entry in the context memory
 * @param lid where datagrams go: of a port or a group; 0 if LID and GID name no port together
 * @param address IPv4 address of the port, if it is another HCA's; else 0
 * @param domain to whose queue pairs alone, 16 bits of its number; 0: to those of all
 * @param source GID of the sending port
 */
public record AddressVector(
        int number, int index, int pd, AddressAttributes to, int lid, int address, int domain, Gid source) {
    private static final int DOMAIN_MASK = 0xffff;

    /** Whether the GID, if there is one, is that of the queue pair's domain or port. */
    boolean leadsTo(Qp receiver) {
        return domain == 0 || domain == (receiver.share().domain() & DOMAIN_MASK);
    }
}
