package io.hyperverbs.upper.ipoib.link;

import io.hyperverbs.upper.ipoib.frame.HardwareAddress;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.AddressHandle;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.verbs.sa.SubnetAdministration;
import java.util.HashMap;
import java.util.Map;

/**
 * Address handles of neighbours, by the GID in their hardware address: the subnet administrator says the path (RFC 4391
 * §9.1.2), once, as its answer is a verb that the hypervisor forwards. For whoever holds the link's lock.
 */
final class LinkPaths {
    /** A guest may have 256 address handles, of which groups have some. */
    private static final int MOST = 128;

    private final ProtectionDomain pd;
    private final SubnetAdministration subnet;
    private final LinkSender sender;
    private final Map<Gid, AddressHandle> handles = new HashMap<>();

    LinkPaths(ProtectionDomain pd, SubnetAdministration subnet, LinkSender sender) {
        this.pd = pd;
        this.subnet = subnet;
        this.sender = sender;
    }

    /**
     * The handle for a neighbour.
     *
     * @throws VerbsException ENOENT if no port has that GID
     */
    AddressHandle to(HardwareAddress neighbour) throws VerbsException {
        AddressHandle known = handles.get(neighbour.gid());
        if (known != null) {
            return known;
        }
        if (handles.size() == MOST) {
            forget();
        }
        int lid = subnet.path(Destination.gid(neighbour.gid())).destinationLid();
        AddressHandle made = pd.createAh(AddressAttributes.of(lid));
        handles.put(neighbour.gid(), made);
        return made;
    }

    /** More neighbours than that are rare: all begin again. */
    private void forget() throws VerbsException {
        sender.drain();
        for (AddressHandle handle : handles.values()) {
            handle.close();
        }
        handles.clear();
    }
}
