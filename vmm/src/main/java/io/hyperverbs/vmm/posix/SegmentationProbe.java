package io.hyperverbs.vmm.posix;

/** Whether this kernel makes datagrams of a batch (udp(7) UDP_SEGMENT): found out by sending one to itself. */
final class SegmentationProbe {
    private static final int SMALL_BYTES = 4096;

    private SegmentationProbe() {}

    /** @param address one of this computer's */
    static boolean works(int address) throws PosixException {
        try (Fd socket = UdpSocket.open(address, 0, SMALL_BYTES, 0)) {
            // An older kernel would ignore the control message and send one long datagram.
            if (!UdpSocket.knowsSegments(socket)) {
                return false;
            }
            DatagramQueue queue = new DatagramQueue(DatagramQueue.MAX_SEGMENTS, 2, true);
            queue.add(0, 2, 1, address, UdpSocket.port(socket), 0);
            queue.flush(socket);
            return queue.dropErrno() != Errno.EIO && queue.dropErrno() != Errno.EINVAL;
        }
    }
}
