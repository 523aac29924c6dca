package io.hyperverbs.upper.ipoib.link;

import io.hyperverbs.upper.ipoib.frame.HardwareAddress;
import io.hyperverbs.verbs.VerbsException;

/** Packets as datagrams (RFC 4391). For whoever holds the link's lock. */
record DatagramSender(LinkSender sender, LinkPaths paths) implements NeighbourSender {
    @Override
    public void send(int slot, int lengthBytes, HardwareAddress to) throws VerbsException {
        sender.send(slot, lengthBytes, paths.to(to), to.qpn());
    }
}
