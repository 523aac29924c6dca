package io.hyperverbs.upper.dsm.link;

import io.hyperverbs.upper.dsm.options.DataTransfer;

/**
 * How much a node keeps for each other one. There is no flow control: the requests of a program are one at a time, so
 * that the messages under way are few, and the pool of receives holds more (Liss 2003 §3.1). Data in messages may be
 * more than that; then the HCA of the sender tries again (RNR NAK).
 *
 * @param frameBytes of each message, header and data
 * @param receives posted
 * @param sends that may be outstanding
 */
record NodeSizes(int frameBytes, int receives, int sends) {
    private static final int RECEIVES = 256;
    private static final int SENDS = 128;
    private static final int DATA_BYTES = 4096;
    private static final int DATA_RECEIVES = 64;
    private static final int DATA_SENDS = 32;

    static NodeSizes of(DataTransfer transfer) {
        return switch (transfer) {
            case RDMA_WRITE -> new NodeSizes(NodeFrame.HEADER_BYTES, RECEIVES, SENDS);
            case SEND -> new NodeSizes(NodeFrame.HEADER_BYTES + DATA_BYTES, DATA_RECEIVES, DATA_SENDS);
        };
    }

    int dataBytes() {
        return frameBytes - NodeFrame.HEADER_BYTES;
    }
}
