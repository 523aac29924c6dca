package io.hyperverbs.vmm.io;

import io.hyperverbs.verbs.DeviceAttributes;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PortAttributes;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.VerbsStatus;

/** The backend's answer to a {@link ControlRequest}. */
public sealed interface ControlReply {

    /** Done; nothing to tell (modify, destroy). */
    record Done() implements ControlReply {}

    /** Not done, and nothing changed. */
    record Refused(VerbsStatus status, String message) implements ControlReply {}

    /** Grants are to be mapped by hypercall; 0 on a forwarded data path. */
    record ContextOpened(long context, long uarGrant, long statusGrant) implements ControlReply {}

    record DeviceQueried(DeviceAttributes attributes) implements ControlReply {}

    record PortQueried(PortAttributes attributes) implements ControlReply {}

    record GidQueried(Gid gid) implements ControlReply {}

    record PkeyQueried(int pkey) implements ControlReply {}

    /** {@code number} is the HCA's, which completions name in a fault. */
    record PdAllocated(long pd, int number) implements ControlReply {}

    record MemoryRegistered(long region, int lkey, int rkey) implements ControlReply {}

    record WindowAllocated(long window, int rkey) implements ControlReply {}

    record RingRegistered(long ring) implements ControlReply {}

    record CqCreated(long cq, int number, int slot, int entries) implements ControlReply {}

    record QpCreated(long qp, int qpn, int slot) implements ControlReply {}

    record QpQueried(QpAttributes attributes) implements ControlReply {}

    /** {@code number} is what work requests name it by. */
    record AhCreated(long ah, int number) implements ControlReply {}

    record SrqCreated(long srq, int srqn) implements ControlReply {}

    /** {@code headIndex} counts the receives taken so far and wraps at 2^32. */
    record SrqQueried(int entries, int limit, int headIndex) implements ControlReply {}

    record Management(ManagementReply reply) implements ControlReply {}
}
