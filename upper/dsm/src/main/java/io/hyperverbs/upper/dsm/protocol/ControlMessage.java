package io.hyperverbs.upper.dsm.protocol;

/**
 * A control message.
 *
 * @param subject number of the minipage or lock
 * @param node as the type says; 0 where it says nothing
 * @param value as the type says; 0 where it says nothing
 */
public record ControlMessage(ControlType type, int subject, int node, long value) {
    public static ControlMessage of(ControlType type, int subject) {
        return new ControlMessage(type, subject, 0, 0);
    }

    static ControlMessage about(ControlType type, int subject, int node) {
        return new ControlMessage(type, subject, node, 0);
    }
}
