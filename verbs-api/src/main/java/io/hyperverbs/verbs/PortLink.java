package io.hyperverbs.verbs;

/**
 * How a port hangs in its subnet; codes as InfiniBand has them.
 *
 * @param smLid address of the subnet manager, 0 if none is known
 * @param smSl service level towards it
 * @param lmc low bits of the LID that the port does not look at
 * @param maxVl code of the number of virtual lanes
 * @param activeWidth code: 1 is 1X, 2 is 4X
 * @param activeSpeed code: 1 is 2.5 Gb/s a lane
 * @param physicalState code: 3 is disabled, 5 is link up
 * @param subnetTimeout code of the longest way through the subnet, 4.096 us x 2^n
 * @param capabilityFlags {@code port_cap_flags}
 */
public record PortLink(
        int smLid,
        int smSl,
        int lmc,
        int maxVl,
        int activeWidth,
        int activeSpeed,
        int physicalState,
        int subnetTimeout,
        int capabilityFlags) {}
