package io.hyperverbs.vmm.io;

import static io.hyperverbs.vmm.io.Field.bool;
import static io.hyperverbs.vmm.io.Field.constant;
import static io.hyperverbs.vmm.io.Field.data;
import static io.hyperverbs.vmm.io.Field.fixed32;
import static io.hyperverbs.vmm.io.Field.fixed64;
import static io.hyperverbs.vmm.io.Field.handle;
import static io.hyperverbs.vmm.io.Field.int32;
import static io.hyperverbs.vmm.io.Field.string;
import static io.hyperverbs.vmm.io.Field.uint32;
import static io.hyperverbs.vmm.io.Field.uint64;
import static io.hyperverbs.vmm.io.MessageField.flat;
import static io.hyperverbs.vmm.io.MessageField.message;
import static io.hyperverbs.vmm.io.PrivilegedVerb.Effect.CHANGE;
import static io.hyperverbs.vmm.io.PrivilegedVerb.Effect.END;
import static io.hyperverbs.vmm.io.PrivilegedVerb.Effect.QUERY;

import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.vmm.io.ControlRequest.AllocateDmaKey;
import io.hyperverbs.vmm.io.ControlRequest.AllocatePd;
import io.hyperverbs.vmm.io.ControlRequest.AllocateWindow;
import io.hyperverbs.vmm.io.ControlRequest.ArmSrq;
import io.hyperverbs.vmm.io.ControlRequest.AttachMulticast;
import io.hyperverbs.vmm.io.ControlRequest.CreateAh;
import io.hyperverbs.vmm.io.ControlRequest.CreateCq;
import io.hyperverbs.vmm.io.ControlRequest.CreateQp;
import io.hyperverbs.vmm.io.ControlRequest.CreateSrq;
import io.hyperverbs.vmm.io.ControlRequest.Destroy;
import io.hyperverbs.vmm.io.ControlRequest.DetachMulticast;
import io.hyperverbs.vmm.io.ControlRequest.ModerateCq;
import io.hyperverbs.vmm.io.ControlRequest.ModifyQp;
import io.hyperverbs.vmm.io.ControlRequest.OpenContext;
import io.hyperverbs.vmm.io.ControlRequest.OpenXrcd;
import io.hyperverbs.vmm.io.ControlRequest.QueryDevice;
import io.hyperverbs.vmm.io.ControlRequest.QueryGid;
import io.hyperverbs.vmm.io.ControlRequest.QueryPkey;
import io.hyperverbs.vmm.io.ControlRequest.QueryPort;
import io.hyperverbs.vmm.io.ControlRequest.QueryQp;
import io.hyperverbs.vmm.io.ControlRequest.QuerySrq;
import io.hyperverbs.vmm.io.ControlRequest.RegisterMemory;
import io.hyperverbs.vmm.io.ControlRequest.RegisterRing;
import io.hyperverbs.vmm.io.ControlRequest.ReregisterMemory;
import io.hyperverbs.vmm.io.ControlRequest.ResizeCq;
import io.hyperverbs.vmm.io.ControlRequest.ResizeSrq;
import io.hyperverbs.vmm.io.ManagementRequest.Accept;
import io.hyperverbs.vmm.io.ManagementRequest.Answer;
import io.hyperverbs.vmm.io.ManagementRequest.Connect;
import io.hyperverbs.vmm.io.ManagementRequest.CreateChannel;
import io.hyperverbs.vmm.io.ManagementRequest.JoinGroup;
import io.hyperverbs.vmm.io.ManagementRequest.Listen;
import io.hyperverbs.vmm.io.ManagementRequest.QueryGroup;
import io.hyperverbs.vmm.io.ManagementRequest.QueryOwnGid;
import io.hyperverbs.vmm.io.ManagementRequest.QueryPath;
import io.hyperverbs.vmm.io.ManagementRequest.QueryServices;
import io.hyperverbs.vmm.io.ManagementRequest.RegisterService;
import io.hyperverbs.vmm.io.ManagementRequest.Release;
import io.hyperverbs.vmm.io.ManagementRequest.Resolve;
import io.hyperverbs.vmm.io.ManagementRequest.TakeEvents;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The privileged verbs: one row for each record of {@link ControlRequest} and {@link ManagementRequest}. Codec, journal,
 * verb log and the backend's executor go by these rows alone.
 *
 * <p>A row has the verb's name; its number among the requests of device_channel.proto or management.proto; what it does;
 * the kind of object that it gives back, if any; the quota that it counts one of, if any, by its name in topologies; and
 * its fields, with the names by which people know them and their numbers in the message.
 */
public enum PrivilegedVerb {
    OPEN_CONTEXT("open_device", 10, ObjectKind.CONTEXT, "uar", OpenContext.class, dataPath("path", 1)),
    QUERY_DEVICE("query_device", 11, QUERY, QueryDevice.class, handle("context", 1)),
    QUERY_PORT("query_port", 12, QUERY, QueryPort.class, parent("context", 1), uint32("port", 2)),
    QUERY_GID("query_gid", 100, QUERY, QueryGid.class, parent("context", 1), int32("port", 2), int32("index", 3)),
    QUERY_PKEY("query_pkey", 101, QUERY, QueryPkey.class, parent("context", 1), int32("port", 2), int32("index", 3)),
    ALLOCATE_PD("alloc_pd", 13, ObjectKind.PD, "pd", AllocatePd.class, handle("context", 1)),
    OPEN_XRCD("open_xrcd", 21, ObjectKind.PD, "pd", OpenXrcd.class, handle("context", 1)),
    REGISTER_MEMORY(
            "reg_mr",
            14,
            ObjectKind.REGION,
            "mr",
            RegisterMemory.class,
            parent("pd", 1),
            fixed64("addr", 2),
            uint64("len", 3),
            rights("access", 4),
            new RunsField("frames", 5)),
    REREGISTER_MEMORY(
            "rereg_mr",
            81,
            CHANGE,
            ReregisterMemory.class,
            handle("mr", 1),
            uint32("flags", 2).hex(),
            parent("pd", 3),
            fixed64("addr", 4),
            uint64("len", 5),
            rights("access", 6),
            new RunsField("frames", 7)),
    ALLOCATE_DMA_KEY("get_dma_mr", 82, ObjectKind.REGION, "mr", AllocateDmaKey.class, handle("pd", 1)),
    ALLOCATE_WINDOW("alloc_mw", 80, ObjectKind.WINDOW, "mw", AllocateWindow.class, handle("pd", 1), uint32("type", 2)),
    REGISTER_RING(
            "reg_ring",
            15,
            ObjectKind.RING,
            "ring",
            RegisterRing.class,
            parent("context", 1),
            uint64("len", 2),
            new RunsField("frames", 3)),
    CREATE_CQ(
            "create_cq",
            16,
            ObjectKind.CQ,
            "cq",
            CreateCq.class,
            parent("context", 1),
            uint32("cqe", 2),
            parent("ring", 3),
            bool("events", 4).quiet()),
    RESIZE_CQ(
            "resize_cq",
            63,
            CHANGE,
            ResizeCq.class,
            handle("cq", 1),
            uint32("cqe", 2),
            parent("ring", 3),
            uint32("consumer_index", 4).quiet()),
    MODERATE_CQ("modify_cq", 64, CHANGE, ModerateCq.class, handle("cq", 1), uint32("count", 2), uint32("period", 3)),
    CREATE_QP(
            "create_qp",
            17,
            ObjectKind.QP,
            "qp",
            CreateQp.class,
            handle("pd", 1),
            uint32("type", 2).quiet(),
            handle("send_cq", 3),
            handle("recv_cq", 4),
            parent("ring", 5),
            flat("cap", Shapes.QP_LIMITS),
            handle("srq", 60).unlessZero()),
    MODIFY_QP("modify_qp", 18, CHANGE, ModifyQp.class, handle("qp", 1), new AttributesField(2, 3, 4)),
    QUERY_QP("query_qp", 19, QUERY, QueryQp.class, handle("qp", 1)),
    CREATE_AH("create_ah", 40, ObjectKind.AH, "ah", CreateAh.class, handle("pd", 1), flat("attr", Shapes.ADDRESS)),
    ATTACH_MULTICAST(
            "attach_mcast", 41, "mcast", AttachMulticast.class, handle("qp", 1), gid("gid", 2), uint32("lid", 3)),
    DETACH_MULTICAST("detach_mcast", 42, END, DetachMulticast.class, handle("qp", 1), gid("gid", 2), uint32("lid", 3)),
    CREATE_SRQ(
            "create_srq",
            60,
            ObjectKind.SRQ,
            "srq",
            CreateSrq.class,
            handle("pd", 1),
            flat("attr", Shapes.SRQ_LIMITS),
            parent("ring", 4),
            handle("xrcd", 5).unlessZero(),
            handle("cq", 6).unlessZero()),
    /** Has its message in common with {@link #RESIZE_SRQ}: which of the two it is, the field says that is there. */
    ARM_SRQ(
            "modify_srq",
            61,
            CHANGE,
            ArmSrq.class,
            handle("srq", 1),
            uint32("limit", 2).always()),
    RESIZE_SRQ(
            "modify_srq",
            61,
            CHANGE,
            ResizeSrq.class,
            handle("srq", 1),
            uint32("max_wr", 3).always(),
            parent("ring", 4)),
    QUERY_SRQ("query_srq", 62, QUERY, QuerySrq.class, handle("srq", 1)),
    /** Its name in words is that of {@link ObjectKind#destroyVerb}. */
    DESTROY("destroy", 20, END, Destroy.class, kind("kind", 1), handle("handle", 2)),

    CREATE_CM_CHANNEL("cm_create_channel", 1, "cm", CreateChannel.class, handle("context", 1)),
    LISTEN("cm_listen", 2, "cm", Listen.class, handle("channel", 1), fixed64("service_id", 2), uint32("backlog", 3)),
    RESOLVE("cm_resolve", 3, "cm", Resolve.class, handle("channel", 1), Shapes.destination(2)),
    CONNECT(
            "cm_req",
            4,
            CHANGE,
            Connect.class,
            handle("connection", 1),
            fixed64("service_id", 2),
            message("offer", 3, Shapes.OFFER),
            uint64("response_nanos", 4),
            data("data", 5)),
    ACCEPT(
            "cm_rep",
            5,
            CHANGE,
            Accept.class,
            handle("connection", 1),
            message("offer", 2, Shapes.OFFER),
            uint64("response_nanos", 3),
            data("data", 4)),
    /** Its name in words is that of {@link ManagementRequest.Answer.Kind#verb}. */
    ANSWER("cm_answer", 6, CHANGE, Answer.class, handle("connection", 1), Shapes.answerKind(2), data("data", 3)),
    TAKE_EVENTS("cm_get_events", 7, QUERY, TakeEvents.class, handle("channel", 1)),
    RELEASE("cm_release", 8, END, Release.class, handle("handle", 1)),
    QUERY_OWN_GID("sa_gid", 14, QUERY, QueryOwnGid.class, handle("context", 1)),
    QUERY_PATH("sa_path", 9, QUERY, QueryPath.class, handle("context", 1), Shapes.destination(2)),
    JOIN_GROUP(
            "sa_join",
            10,
            "sa",
            JoinGroup.class,
            handle("context", 1),
            gid("gid", 2),
            uint32("join_state", 3),
            fixed32("qkey", 4)),
    QUERY_GROUP("sa_members", 11, QUERY, QueryGroup.class, handle("context", 1), gid("gid", 2)),
    REGISTER_SERVICE(
            "sa_register",
            12,
            "sa",
            RegisterService.class,
            handle("context", 1),
            fixed64("id", 2),
            string("name", 3),
            data("data", 4),
            uint64("lease_seconds", 5)),
    QUERY_SERVICES(
            "sa_services", 13, QUERY, QueryServices.class, handle("context", 1), fixed64("id", 2), string("name", 3));

    /** What a verb does, as far as the backend treats verbs alike. */
    public enum Effect {
        /** Makes something that the domain has from then on. */
        CREATE,
        /** Changes what is there. */
        CHANGE,
        /** Gives something back: goes on where a domain has spent its rates, or the disk is full. */
        END,
        /** Changes nothing, and is not recorded. */
        QUERY
    }

    private static final Map<Class<?>, PrivilegedVerb> BY_TYPE = new HashMap<>();

    static {
        for (PrivilegedVerb verb : values()) {
            BY_TYPE.put(verb.shape.type(), verb);
        }
    }

    private final String verb;
    private final int number;
    private final Effect effect;
    private final @Nullable ObjectKind gives;
    private final @Nullable String quota;

    @SuppressWarnings("ImmutableEnumChecker") // immutable but for what it has found of its record
    private final Shape<?> shape;

    PrivilegedVerb(String verb, int number, Effect effect, Class<?> type, Field... fields) {
        this(verb, number, effect, null, null, Shape.of(type, fields));
    }

    /** One that gives back an object. */
    PrivilegedVerb(String verb, int number, ObjectKind gives, String quota, Class<?> type, Field... fields) {
        this(verb, number, Effect.CREATE, gives, quota, Shape.of(type, fields));
    }

    /** One that makes something that is no object of the HCA's. */
    PrivilegedVerb(String verb, int number, String quota, Class<?> type, Field... fields) {
        this(verb, number, Effect.CREATE, null, quota, Shape.of(type, fields));
    }

    PrivilegedVerb(
            String verb,
            int number,
            Effect effect,
            @Nullable ObjectKind gives,
            @Nullable String quota,
            Shape<?> shape) {
        this.verb = verb;
        this.number = number;
        this.effect = effect;
        this.gives = gives;
        this.quota = quota;
        this.shape = shape;
    }

    /** A handle that a program does not give, or need not see. */
    private static Field parent(String name, int number) {
        return handle(name, number).quiet();
    }

    private static Field rights(String name, int number) {
        return uint32(name, number).rights().bare();
    }

    private static Field dataPath(String name, int number) {
        return constant(name, number, DataPathKind.values(), DataPathKind::code).bare();
    }

    private static Field kind(String name, int number) {
        return constant(name, number, ObjectKind.values(), ObjectKind::code);
    }

    private static Field gid(String name, int number) {
        return message(name, number, Shapes.GID);
    }

    /** The row of a request. */
    public static PrivilegedVerb of(ControlRequest request) {
        return row(content(request));
    }

    /** The record whose row it is: the request, or what a management request holds. */
    static Object content(ControlRequest request) {
        return request instanceof ControlRequest.Management management ? management.request() : request;
    }

    private static PrivilegedVerb row(Object content) {
        return Objects.requireNonNull(BY_TYPE.get(content.getClass()));
    }

    /** Its name in the words of the C verbs. */
    public String verb() {
        return verb;
    }

    /** What it does. */
    public Effect effect() {
        return effect;
    }

    /** Whether it only asks. */
    public boolean isQuery() {
        return effect == Effect.QUERY;
    }

    /** Whether it gives back what the domain has. */
    public boolean isEnd() {
        return effect == Effect.END;
    }

    /** Whether it is one of {@link ManagementRequest}. */
    public boolean isManagement() {
        return ManagementRequest.class.isAssignableFrom(shape.type());
    }

    /** The kind of object whose handle it gives back; null if none. */
    public @Nullable ObjectKind gives() {
        return gives;
    }

    /** Name of the quota of which it takes one; null if none. */
    public @Nullable String quota() {
        return quota;
    }

    /** Its number among the requests of its message. */
    int number() {
        return number;
    }

    Shape<?> shape() {
        return shape;
    }
}
