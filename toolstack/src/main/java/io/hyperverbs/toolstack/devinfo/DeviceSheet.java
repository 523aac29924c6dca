package io.hyperverbs.toolstack.devinfo;

import io.hyperverbs.launcher.output.Json;
import io.hyperverbs.launcher.output.Table;
import io.hyperverbs.verbs.DeviceAttributes;
import io.hyperverbs.verbs.DeviceCapability;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.ObjectLimits;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One HCA as {@code ibv_devinfo} shows it, name by name and column by column; what the HCA has
 * nothing of is zero or said not to be supported, as there.
 */
public final class DeviceSheet {
    private final String name;
    private final Sheet device = new Sheet(8, 40);
    private final List<PortSheet> ports;

    /**
     * @param name of the device
     * @param verbose all there is, as with {@code ibv_devinfo -v}
     */
    public DeviceSheet(String name, DeviceAttributes attributes, List<PortSheet> ports, boolean verbose) {
        this.name = name;
        this.ports = List.copyOf(ports);
        identity(attributes);
        if (verbose) {
            queueLimits(attributes);
            readLimits(attributes);
            objectLimits(attributes);
            notSupported(attributes);
        }
    }

    private void identity(DeviceAttributes a) {
        device.add("transport", "InfiniBand (0)", "InfiniBand")
                .add("fw_ver", a.firmwareVersion())
                .add("node_guid", Gid.half(a.nodeGuid()))
                .add("sys_image_guid", Gid.half(a.identity().systemImageGuid()))
                .add("vendor_id", "0x%04x".formatted(a.identity().vendorId()))
                .add("vendor_part_id", a.identity().vendorPartId())
                .add("hw_ver", "0x%X".formatted(a.identity().hardwareVersion()))
                .add("board_id", a.identity().boardId())
                .add("phys_port_cnt", a.portCount());
    }

    private void queueLimits(DeviceAttributes a) {
        int flags = DeviceCapability.mask(a.capabilities().flags());
        device.add("max_mr_size", "0x%x".formatted(a.maxRegionBytes()), a.maxRegionBytes())
                .add("page_size_cap", "0x%x".formatted(a.capabilities().pageSizes()))
                .add("max_qp", a.maxQp())
                .add("max_qp_wr", a.maxQpWr())
                .add("device_cap_flags", "0x%08x".formatted(flags));
        for (DeviceCapability capability : DeviceCapability.values()) {
            if (a.capabilities().flags().contains(capability)) {
                device.item(capability.name());
            }
        }
        device.add("max_sge", a.maxSge())
                .add("max_sge_rd", a.maxSge())
                .add("max_cq", a.maxCq())
                .add("max_cqe", a.maxCqe())
                .add("max_mr", a.maxMr())
                .add("max_pd", a.maxPd());
    }

    private void readLimits(DeviceAttributes a) {
        device.add("max_qp_rd_atom", a.maxReadAtomic())
                .add("max_ee_rd_atom", 0)
                .add("max_res_rd_atom", a.capabilities().maxResponderReadAtomic())
                .add("max_qp_init_rd_atom", a.maxReadAtomic())
                .add("max_ee_init_rd_atom", 0)
                .add(
                        "atomic_cap",
                        "ATOMIC_%s (%d)"
                                .formatted(
                                        a.capabilities().atomicCap(),
                                        a.capabilities().atomicCap().code()),
                        "ATOMIC_" + a.capabilities().atomicCap());
    }

    private void objectLimits(DeviceAttributes a) {
        ObjectLimits objects = a.objects();
        device.add("max_ee", 0)
                .add("max_rdd", 0)
                .add("max_mw", objects.maxMw())
                .add("max_raw_ipv6_qp", 0)
                .add("max_raw_ethy_qp", 0)
                .add("max_mcast_grp", objects.maxMulticastGroups())
                .add("max_mcast_qp_attach", objects.maxMulticastQpAttach())
                .add("max_total_mcast_qp_attach", objects.maxTotalMulticastQpAttach())
                .add("max_ah", objects.maxAh())
                .add("max_fmr", 0)
                .add("max_srq", objects.maxSrq());
        if (objects.maxSrq() != 0) {
            device.add("max_srq_wr", objects.maxSrqWr()).add("max_srq_sge", objects.maxSrqSge());
        }
        device.add("max_pkeys", a.capabilities().maxPkeys())
                .add("local_ca_ack_delay", a.capabilities().localAckDelay());
    }

    // No on-demand paging, time stamps, offloads, tag matching or rate limits.
    private void notSupported(DeviceAttributes a) {
        device.say("general_odp_caps:");
        for (String transport : List.of("rc", "uc", "ud", "xrc")) {
            device.say(transport + "_odp_caps:").item("NO SUPPORT");
        }
        device.say("completion_timestamp_mask not supported")
                .say("core clock not supported")
                .add(
                        "device_cap_flags_ex",
                        "0x%X".formatted(DeviceCapability.mask(a.capabilities().flags())))
                .say("tso_caps:")
                .add("max_tso", 0)
                .say("rss_caps:");
        for (String name : List.of("max_rwq_indirection_tables", "max_rwq_indirection_table_size")) {
            device.say("\t" + name + ":\t\t\t0");
        }
        device.say("\trx_hash_function:\t\t\t\t0x0")
                .say("\trx_hash_fields_mask:\t\t\t\t0x0")
                .add("max_wq_type_rq", 0)
                .say("packet_pacing_caps:")
                .say("\tqp_rate_limit_min:\t0kbps")
                .say("\tqp_rate_limit_max:\t0kbps")
                .say("tag matching not supported")
                .add("num_comp_vectors", a.capabilities().completionVectors());
    }

    /** As {@code ibv_devinfo} prints it, with an empty line after each port. */
    public String text() {
        StringBuilder text = new StringBuilder("hca_id:\t" + name + "\n");
        device.appendTo(text);
        for (PortSheet port : ports) {
            text.append("\t\tport:\t").append(port.number()).append('\n');
            port.sheet().appendTo(text);
            text.append('\n');
        }
        return text.toString();
    }

    /** The same names as keys; the ports in an array. */
    public ObjectNode json() {
        ObjectNode object = Json.object().put("hca_id", name);
        device.fill(object);
        ArrayNode array = object.putArray("ports");
        for (PortSheet port : ports) {
            ObjectNode one = array.addObject().put("port", port.number());
            port.sheet().fill(one);
        }
        return object;
    }

    /** One row for each name: device, port or nothing, name, value. */
    public void addTo(Table table) {
        device.forEach((key, value) -> table.row(name, null, key, value));
        for (PortSheet port : ports) {
            port.sheet().forEach((key, value) -> table.row(name, port.number(), key, value));
        }
    }
}
