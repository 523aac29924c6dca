package io.hyperverbs.vmm.io;

import static io.hyperverbs.vmm.io.Field.bool;
import static io.hyperverbs.vmm.io.Field.fixed32;
import static io.hyperverbs.vmm.io.Field.handle;
import static io.hyperverbs.vmm.io.Field.string;
import static io.hyperverbs.vmm.io.Field.uint32;
import static io.hyperverbs.vmm.io.Field.uint64;
import static io.hyperverbs.vmm.io.MessageField.flat;
import static io.hyperverbs.vmm.io.MessageField.list;
import static io.hyperverbs.vmm.io.MessageField.message;
import static io.hyperverbs.vmm.io.MessageField.whole;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Shapes of {@link ControlReply} and {@link ManagementReply}: number in its message, and fields. */
final class ReplyShapes {
    private static final Map<Class<?>, Shape<?>> BY_TYPE = new HashMap<>();

    /** The oneof of management.proto. */
    static final Union MANAGEMENT = new Union("reply", "management reply without content")
            .message(1, shape(ManagementReply.Opened.class, handle("handle", 1)))
            .message(
                    2,
                    shape(
                            ManagementReply.Resolved.class,
                            handle("connection", 1),
                            string("guest", 2),
                            message("path", 3, Shapes.PATH)))
            .message(3, shape(ManagementReply.Path.class, whole("path", Shapes.PATH)))
            .message(4, shape(ManagementReply.Joined.class, handle("handle", 1), message("record", 2, Shapes.MEMBER)))
            .message(5, shape(ManagementReply.Members.class, list("records", 1, Shapes.MEMBER)))
            .message(6, shape(ManagementReply.Services.class, list("records", 1, Shapes.SERVICE)))
            .message(7, shape(ManagementReply.Notices.class, list("notices", 1, Shapes.NOTICE), bool("more", 2)))
            .message(8, shape(ManagementReply.OwnGid.class, whole("gid", Shapes.GID)))
            .message(
                    9,
                    shape(
                            ManagementReply.ServiceRegistered.class,
                            handle("handle", 1),
                            message("record", 2, Shapes.SERVICE)))
            .message(10, shape(ManagementReply.Pending.class, uint32("wait_us", 1)));

    /** The oneof of device_channel.proto; null with a status alone. */
    static final Union CONTROL = new Union("reply", null)
            .message(
                    10,
                    shape(
                            ControlReply.ContextOpened.class,
                            handle("context", 1),
                            uint64("uar_grant", 2),
                            uint64("status_grant", 3)))
            .message(
                    11,
                    shape(
                            ControlReply.DeviceQueried.class,
                            whole("attr", Shapes.DEVICE).quiet()))
            .message(12, shape(ControlReply.PortQueried.class, flat("attr", Shapes.PORT)))
            .message(
                    13,
                    shape(
                            ControlReply.PdAllocated.class,
                            handle("pd", 1),
                            uint32("number", 2).knownBy()))
            .message(
                    14,
                    shape(ControlReply.MemoryRegistered.class, handle("mr", 1), fixed32("lkey", 2), fixed32("rkey", 3)))
            .message(15, shape(ControlReply.RingRegistered.class, handle("ring", 1)))
            .message(
                    16,
                    shape(
                            ControlReply.CqCreated.class,
                            handle("cq", 1),
                            uint32("number", 2).knownBy(),
                            uint32("slot", 3),
                            uint32("entries", 4)))
            .message(
                    17,
                    shape(
                            ControlReply.QpCreated.class,
                            handle("qp", 1),
                            uint32("qpn", 2).number24().knownBy(),
                            uint32("slot", 3)))
            .message(18, shape(ControlReply.QpQueried.class, new AttributesField(1, 2, 3)))
            .message(
                    40,
                    shape(
                            ControlReply.AhCreated.class,
                            handle("ah", 1),
                            fixed32("number", 2).number24().knownBy()))
            .message(
                    60,
                    shape(
                            ControlReply.SrqCreated.class,
                            handle("srq", 1),
                            uint32("srqn", 2).number24().knownBy()))
            .message(
                    61,
                    shape(
                            ControlReply.SrqQueried.class,
                            uint32("entries", 1),
                            uint32("limit", 2),
                            uint32("head_index", 3).quiet()))
            .message(80, shape(ControlReply.WindowAllocated.class, handle("mw", 1), fixed32("rkey", 2)))
            .message(100, shape(ControlReply.GidQueried.class, whole("gid", Shapes.GID)))
            .message(
                    101, shape(ControlReply.PkeyQueried.class, uint32("pkey", 1).hex()))
            .message(120, shape(ControlReply.Management.class, MANAGEMENT));

    private ReplyShapes() {}

    private static <R> Shape<R> shape(Class<R> type, Field... fields) {
        Shape<R> shape = Shape.of(type, fields);
        BY_TYPE.put(type, shape);
        return shape;
    }

    /** The shape of a reply that has one: any but Done and Refused. */
    static Shape<?> of(Object reply) {
        return Objects.requireNonNull(BY_TYPE.get(reply.getClass()));
    }
}
