package io.hyperverbs.upper.ipoib.neighbour;

import io.hyperverbs.upper.ipoib.frame.HardwareAddress;
import io.hyperverbs.upper.ipoib.frame.IpAddress;

/** What a table wants done; called from within its methods, in their thread. Must not call the table. */
public interface NeighbourActions {
    /**
     * Sends an ARP request to the broadcast group, or a neighbour solicitation to the target's solicited-node group.
     */
    void solicitByMulticast(IpAddress target);

    /** Sends the same to the node that had the address until now. */
    void solicitByUnicast(IpAddress target, HardwareAddress hardware);

    /** Sends a packet that waited; its number is the caller's again. */
    void transmit(int packet, HardwareAddress hardware);

    /** Gives up a packet that waited; its number is the caller's again. */
    void drop(int packet, DropReason reason);
}
