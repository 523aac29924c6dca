package io.hyperverbs.upper.mpi.frame;

/** The fields of {@link FrameLayout}, by value. */
public record FrameHeader(FrameType kind, int context, int tag, int rkey, long bytes, long request) {
    public static FrameHeader eager(int context, int tag, long bytes) {
        return new FrameHeader(FrameType.EAGER, context, tag, 0, bytes, 0);
    }

    /**
     * @param rkey of the sender's memory; 0 if the receiver cannot read it
     * @param request the sender's
     */
    public static FrameHeader requestToSend(int context, int tag, long bytes, int rkey, long request) {
        return new FrameHeader(FrameType.REQUEST_TO_SEND, context, tag, rkey, bytes, request);
    }

    /**
     * @param request the sender's
     * @param answer the receiver's, which DATA names
     */
    public static FrameHeader clearToSend(long request, long answer) {
        return new FrameHeader(FrameType.CLEAR_TO_SEND, 0, 0, 0, answer, request);
    }

    /**
     * @param request the receiver's
     * @param offsetBytes of this part in the message
     */
    public static FrameHeader data(long request, long offsetBytes) {
        return new FrameHeader(FrameType.DATA, 0, 0, 0, offsetBytes, request);
    }

    /**
     * @param request the sender's
     * @param answer the receiver's, which WRITTEN names
     * @param rkey of the receiver's memory
     */
    public static FrameHeader clearToWrite(long request, long answer, int rkey) {
        return new FrameHeader(FrameType.CLEAR_TO_WRITE, 0, 0, rkey, answer, request);
    }

    /**
     * @param request the receiver's
     */
    public static FrameHeader written(long request) {
        return new FrameHeader(FrameType.WRITTEN, 0, 0, 0, 0, request);
    }

    /**
     * @param request the sender's
     */
    public static FrameHeader finished(long request) {
        return new FrameHeader(FrameType.FINISHED, 0, 0, 0, 0, request);
    }
}
