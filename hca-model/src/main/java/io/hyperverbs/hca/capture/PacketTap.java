package io.hyperverbs.hca.capture;

/** Gets what passes the ports of an HCA. On the engine thread: it must neither wait nor allocate. */
public interface PacketTap {
    /** A packet is sent, came, or was lost on its way to a port. */
    void packet(CapturedPacket packet);
}
