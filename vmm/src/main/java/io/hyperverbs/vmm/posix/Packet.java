package io.hyperverbs.vmm.posix;

import java.util.List;

/**
 * One message with the descriptors that came beside it.
 *
 * @param descriptors the receiver's now, who closes them
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier between two calls; never compared
public record Packet(byte[] bytes, List<Fd> descriptors) {
    public Packet {
        descriptors = List.copyOf(descriptors);
    }

    /** Closes the descriptors. */
    public void discard() {
        descriptors.forEach(Fd::close);
    }
}
