package io.hyperverbs.vmm.io;

import static io.hyperverbs.vmm.io.Field.bool;
import static io.hyperverbs.vmm.io.Field.data;
import static io.hyperverbs.vmm.io.Field.fixed32;
import static io.hyperverbs.vmm.io.Field.fixed64;
import static io.hyperverbs.vmm.io.Field.handle;
import static io.hyperverbs.vmm.io.Field.string;
import static io.hyperverbs.vmm.io.Field.uint32;
import static io.hyperverbs.vmm.io.Field.uint64;
import static io.hyperverbs.vmm.io.MessageField.message;
import static io.hyperverbs.vmm.io.MessageField.optional;

import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.AtomicCap;
import io.hyperverbs.verbs.DeviceAttributes;
import io.hyperverbs.verbs.DeviceCapabilities;
import io.hyperverbs.verbs.DeviceCapability;
import io.hyperverbs.verbs.DeviceIdentity;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.GlobalRoute;
import io.hyperverbs.verbs.ObjectLimits;
import io.hyperverbs.verbs.PortAttributes;
import io.hyperverbs.verbs.PortLink;
import io.hyperverbs.verbs.PortState;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.SrqLimits;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.verbs.cm.RejectReason;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.verbs.sa.MemberRecord;
import io.hyperverbs.verbs.sa.PathRecord;
import io.hyperverbs.verbs.sa.ServiceRecord;

/** Shapes of the records that requests and replies have in common. */
final class Shapes {
    static final Shape<Gid> GID = Shape.of(Gid.class, fixed64("prefix", 1), fixed64("interface", 2));

    static final Shape<GlobalRoute> ROUTE = Shape.of(
            GlobalRoute.class,
            message("dgid", 1, GID),
            uint32("flow_label", 2).quiet(),
            uint32("source_gid_index", 3).quiet(),
            uint32("hop_limit", 4).quiet(),
            uint32("traffic_class", 5).quiet());

    /** Address vector, behind a PD. */
    static final Shape<AddressAttributes> ADDRESS = Shape.of(
            AddressAttributes.class,
            uint32("port", 2).quiet(),
            uint32("lid", 3),
            uint32("sl", 4).quiet(),
            uint32("src_path_bits", 5).quiet(),
            uint32("static_rate", 6).quiet(),
            optional("route", 7, ROUTE));

    static final Shape<QpLimits> QP_LIMITS = Shape.of(
            QpLimits.class,
            uint32("max_send_wr", 6),
            uint32("max_recv_wr", 7),
            uint32("max_send_sge", 8).quiet(),
            uint32("max_recv_sge", 9).quiet(),
            uint32("max_inline_data", 10).quiet(),
            bool("sq_sig_all", 11).quiet());

    static final Shape<SrqLimits> SRQ_LIMITS =
            Shape.of(SrqLimits.class, uint32("max_wr", 2), uint32("max_sge", 3).quiet());

    static final Shape<CmOffer> OFFER = Shape.of(
            CmOffer.class,
            uint32("type", 8)
                    .as(
                            QpType::code,
                            (Integer code) -> QpType.of(code)
                                    .orElseThrow(() -> new ProtocolViolation("offer of transport " + code))),
            uint32("qpn", 1).number24(),
            uint32("psn", 2).number24(),
            uint32("responder_resources", 3),
            uint32("initiator_depth", 4),
            uint32("retry_count", 5),
            uint32("rnr_retry_count", 6),
            uint32("ack_timeout", 7),
            fixed32("qkey", 9));

    static final Shape<PathRecord> PATH = Shape.of(
            PathRecord.class,
            message("source", 1, GID),
            message("destination", 2, GID),
            uint32("source_lid", 3),
            uint32("destination_lid", 4),
            uint32("pkey", 5).hex(),
            uint32("sl", 6),
            uint32("mtu", 7),
            uint32("packet_life_time", 8),
            bool("reversible", 9));

    static final Shape<MemberRecord> MEMBER = Shape.of(
            MemberRecord.class,
            message("group", 1, GID),
            message("port", 2, GID),
            uint32("mlid", 3).hex(),
            fixed32("qkey", 4),
            uint32("pkey", 5).hex(),
            uint32("mtu", 6),
            uint32("join_state", 7));

    static final Shape<ServiceRecord> SERVICE = Shape.of(
            ServiceRecord.class, fixed64("id", 1), message("port", 2, GID), string("name", 3), data("data", 4));

    static final Shape<CmNotice> NOTICE = Shape.of(
            CmNotice.class,
            uint32("type", 1).as(CmEvent.Type::code, Shapes::eventType),
            handle("connection", 2),
            fixed64("service_id", 3),
            uint32("status", 4).as(VerbsStatus::code, VerbsStatus::of),
            uint32("reject", 5).as(RejectReason::code, RejectReason::of),
            string("guest", 6),
            message("gid", 7, GID),
            message("offer", 8, OFFER),
            data("data", 9),
            message("path", 10, PATH));

    private static final Shape<DeviceIdentity> IDENTITY = Shape.of(
            DeviceIdentity.class,
            fixed64("system_image_guid", 1),
            uint32("vendor_id", 2),
            uint32("vendor_part_id", 3),
            uint32("hw_ver", 4),
            string("board_id", 5));

    private static final Shape<ObjectLimits> OBJECT_LIMITS = Shape.of(
            ObjectLimits.class,
            uint32("max_srq", 1),
            uint32("max_srq_wr", 2),
            uint32("max_srq_sge", 3),
            uint32("max_mw", 4),
            uint32("max_ah", 5),
            uint32("max_mcast_grp", 6),
            uint32("max_mcast_qp_attach", 7));

    private static final Shape<DeviceCapabilities> CAPABILITIES = Shape.of(
            DeviceCapabilities.class,
            fixed32("flags", 1).as(DeviceCapability::mask, DeviceCapability::of),
            uint32("atomic_cap", 2).as(AtomicCap::code, AtomicCap::of),
            fixed64("page_sizes", 3),
            uint32("max_pkeys", 4),
            uint32("max_res_rd_atom", 5),
            uint32("local_ca_ack_delay", 6),
            uint32("comp_vectors", 7));

    static final Shape<DeviceAttributes> DEVICE = Shape.of(
            DeviceAttributes.class,
            string("fw_ver", 1),
            fixed64("node_guid", 2),
            uint32("max_qp", 3),
            uint32("max_qp_wr", 4),
            uint32("max_sge", 5),
            uint32("max_inline_data", 6),
            uint32("max_cq", 7),
            uint32("max_cqe", 8),
            uint32("max_mr", 9),
            uint64("max_mr_size", 10),
            uint32("max_pd", 11),
            uint32("max_qp_rd_atom", 12),
            uint64("max_msg_sz", 13),
            uint32("page_bytes", 14),
            uint32("phys_port_cnt", 15),
            message("identity", 100, IDENTITY),
            message("objects", 101, OBJECT_LIMITS),
            message("capabilities", 102, CAPABILITIES));

    private static final Shape<PortLink> LINK = Shape.of(
            PortLink.class,
            uint32("sm_lid", 1),
            uint32("sm_sl", 2),
            uint32("lmc", 3),
            uint32("max_vl_num", 4),
            uint32("active_width", 5),
            uint32("active_speed", 6),
            uint32("phys_state", 7),
            uint32("subnet_timeout", 8),
            fixed32("port_cap_flags", 9));

    static final Shape<PortAttributes> PORT = Shape.of(
            PortAttributes.class,
            uint32("state", 1).as(PortState::code, PortState::of).quiet(),
            uint32("max_mtu", 2).quiet(),
            uint32("active_mtu", 3).quiet(),
            uint32("lid", 4),
            fixed64("gid_prefix", 5).quiet(),
            fixed64("gid_interface", 6).quiet(),
            uint32("pkey", 7).quiet(),
            uint32("gid_tbl_len", 100).quiet(),
            uint32("pkey_tbl_len", 101).quiet(),
            uint64("max_msg_sz", 102).quiet(),
            uint32("bad_pkey_cntr", 103).quiet(),
            uint32("qkey_viol_cntr", 104).quiet(),
            message("link", 105, LINK).quiet());

    static Field answerKind(int number) {
        return uint32("kind", number).as(ManagementRequest.Answer.Kind::code, ManagementRequest.Answer.Kind::of);
    }

    /** Where a connection or a path goes to. */
    static Field destination(int number) {
        Union to = new Union("to", "destination without an address")
                .choice(
                        Destination.Guest.class,
                        string("guest", 1).always(),
                        name -> Destination.guest((String) name),
                        Destination.Guest::name)
                .choice(
                        Destination.OfGid.class,
                        message("gid", 2, GID),
                        gid -> Destination.gid((Gid) gid),
                        Destination.OfGid::gid)
                .choice(
                        Destination.OfLid.class,
                        uint32("lid", 3).always(),
                        lid -> Destination.lid((int) lid),
                        Destination.OfLid::lid);
        return message("to", number, Shape.of(Destination.class, to));
    }

    private Shapes() {}

    private static CmEvent.Type eventType(int code) {
        try {
            return CmEvent.Type.of(code);
        } catch (IllegalArgumentException e) {
            throw new ProtocolViolation("CM event of type " + code);
        }
    }
}
