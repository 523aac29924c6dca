package io.hyperverbs.launcher.context;

import io.hyperverbs.hca.layout.AhContextLayout;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.CqContextLayout;
import io.hyperverbs.hca.layout.McgContextLayout;
import io.hyperverbs.hca.layout.MwContextLayout;
import io.hyperverbs.hca.layout.PdContextLayout;
import io.hyperverbs.hca.layout.QpContextLayout;
import io.hyperverbs.hca.layout.QpContextLayout.Field;
import io.hyperverbs.hca.layout.RegionContextLayout;
import io.hyperverbs.hca.layout.SrqContextLayout;
import io.hyperverbs.hca.layout.UarContextLayout;
import io.hyperverbs.hca.layout.XrcdContextLayout;
import io.hyperverbs.launcher.context.TableResource.NamedField;
import io.hyperverbs.launcher.output.Listing;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.vmm.domain.MachineException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The kinds of objects there are, in the order {@code rdma resource} counts them. */
public final class Resources {
    static final String SCHEMA = "hv.rdma.resource/1";

    private static final List<Resource> ALL = List.of(
            queuePairs(),
            new ConnectionIds(),
            TableResource.of(
                    "cq",
                    Table.CQ,
                    CqContextLayout::get,
                    CqContextLayout.Field.DOMAIN,
                    new NamedField<>("cqn", CqContextLayout.Field.NUMBER),
                    new NamedField<>("cqe", CqContextLayout.Field.ENTRIES),
                    new NamedField<>("users", CqContextLayout.Field.QUEUE_PAIRS),
                    new NamedField<>("ctxn", CqContextLayout.Field.UAR)),
            TableResource.of(
                    "mr",
                    Table.REGION,
                    RegionContextLayout::get,
                    RegionContextLayout.Field.DOMAIN,
                    // Keys are what protects a region; they are not for display.
                    new NamedField<>("mrn", RegionContextLayout.Field.NUMBER),
                    new NamedField<>("mrlen", RegionContextLayout.Field.LENGTH_BYTES),
                    new NamedField<>("pdn", RegionContextLayout.Field.PD)),
            memoryWindows(),
            TableResource.of(
                    "pd",
                    Table.PD,
                    PdContextLayout::get,
                    PdContextLayout.Field.DOMAIN,
                    new NamedField<>("pdn", PdContextLayout.Field.NUMBER),
                    new NamedField<>("mr", PdContextLayout.Field.REGIONS),
                    new NamedField<>("qp", PdContextLayout.Field.QUEUE_PAIRS)),
            addressHandles(),
            TableResource.of(
                    "xrcd",
                    Table.XRCD,
                    XrcdContextLayout::get,
                    XrcdContextLayout.Field.DOMAIN,
                    new NamedField<>("xrcdn", XrcdContextLayout.Field.NUMBER),
                    new NamedField<>("srq", XrcdContextLayout.Field.SRQS),
                    new NamedField<>("qp", XrcdContextLayout.Field.TARGETS)),
            sharedReceiveQueues(),
            multicastGroups(),
            TableResource.of(
                    "ctx",
                    Table.UAR,
                    UarContextLayout::get,
                    UarContextLayout.Field.DOMAIN,
                    new NamedField<>("ctxn", UarContextLayout.Field.NUMBER),
                    new NamedField<>("users", UarContextLayout.Field.OBJECTS)));

    private Resources() {}

    public static List<Resource> all() {
        return ALL;
    }

    /** The kind of that word, or null. */
    public static @Nullable Resource find(String word) {
        for (Resource resource : ALL) {
            if (resource.word().equals(word)) {
                return resource;
            }
        }
        return null;
    }

    /** How many there are of each kind. */
    public static Listing summary(Inventory inventory) throws MachineException {
        List<String> columns = new ArrayList<>(List.of("dev"));
        List<@Nullable Object> row = new ArrayList<>();
        row.add(inventory.name());
        for (Resource resource : ALL) {
            columns.add(resource.word());
            row.add(resource.list(inventory).size());
        }
        Listing listing = new Listing(SCHEMA, "resources", columns);
        listing.row(row);
        return listing;
    }

    private static Resource queuePairs() {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("link", Resources::link));
        columns.add(TableResource.column(new NamedField<>("lqpn", Field.QPN), QpContextLayout::get));
        columns.add(new Column("rqpn", e -> get(e, Field.DEST_QPN) == 0 ? null : get(e, Field.DEST_QPN)));
        columns.add(new Column("type", e -> type(get(e, Field.TYPE))));
        columns.add(new Column("state", Resources::state));
        columns.add(new Column("rnr-naks", e -> get(e, Field.RNR_NAKS) == 0 ? null : get(e, Field.RNR_NAKS)));
        columns.add(new Column("rq-psn", e -> get(e, Field.RQ_PSN)));
        columns.add(new Column("sq-psn", e -> get(e, Field.SQ_PSN)));
        // A target is in an XRC domain instead of a protection domain.
        columns.add(new Column("pdn", e -> isTarget(e) ? null : get(e, Field.PD)));
        columns.add(new Column("xrcdn", e -> isTarget(e) ? get(e, Field.PD) : null));
        columns.add(new Column("scqn", e -> get(e, Field.SEND_CQ)));
        columns.add(new Column("rcqn", e -> get(e, Field.RECEIVE_CQ)));
        columns.add(new Column("ctxn", e -> get(e, Field.UAR)));
        TableResource.owner(columns, QpContextLayout::get, Field.DOMAIN);
        return new TableResource("qp", Table.QP, columns);
    }

    /** {@code hv0/1}; a queue pair has no port before INIT. */
    static String link(Entry entry) {
        long port = get(entry, Field.PORT);
        return entry.hca() + "/" + (port == 0 ? "-" : Long.toString(port));
    }

    private static Resource memoryWindows() {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("dev", Entry::hca));
        // Keys are what protects a region; they are not for display.
        columns.add(new Column("mwn", e -> window(e, MwContextLayout.Field.NUMBER)));
        columns.add(new Column("type", e -> window(e, MwContextLayout.Field.TYPE)));
        columns.add(new Column("pdn", e -> window(e, MwContextLayout.Field.PD)));
        columns.add(new Column("mrn", e -> ofBound(e, MwContextLayout.Field.REGION)));
        columns.add(new Column("mwlen", e -> ofBound(e, MwContextLayout.Field.LENGTH_BYTES)));
        columns.add(new Column("lqpn", e -> ofBound(e, MwContextLayout.Field.QPN)));
        TableResource.owner(columns, MwContextLayout::get, MwContextLayout.Field.DOMAIN);
        return new TableResource("mw", Table.MW, columns);
    }

    private static long window(Entry entry, MwContextLayout.Field field) {
        return MwContextLayout.get(entry.memory(), entry.offset(), field);
    }

    /** What a window has only while it is bound; 0 is nothing of it either. */
    private static @Nullable Object ofBound(Entry entry, MwContextLayout.Field field) {
        boolean bound = window(entry, MwContextLayout.Field.REGION) != 0;
        long value = window(entry, field);
        return bound && value != 0 ? value : null;
    }

    private static Resource addressHandles() {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("link", e -> e.hca() + "/" + AhContextLayout.port(e.memory(), e.offset())));
        columns.add(new Column("ahn", e -> AhContextLayout.number(e.memory(), e.offset())));
        columns.add(new Column("dlid", e -> AhContextLayout.lid(e.memory(), e.offset())));
        columns.add(new Column("dgid", e -> AhContextLayout.gid(e.memory(), e.offset())));
        columns.add(new Column("pdn", e -> AhContextLayout.pd(e.memory(), e.offset())));
        columns.add(new Column("pid", e -> e.pidOf(AhContextLayout.domain(e.memory(), e.offset()))));
        columns.add(new Column("comm", e -> e.nameOf(AhContextLayout.domain(e.memory(), e.offset()))));
        return new TableResource("ah", Table.AH, columns);
    }

    private static Resource sharedReceiveQueues() {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("dev", Entry::hca));
        columns.add(new Column("srqn", e -> srq(e, SrqContextLayout.Field.SRQN)));
        columns.add(new Column("type", e -> srq(e, SrqContextLayout.Field.XRCD) == 0 ? "BASIC" : "XRC"));
        columns.add(new Column("pdn", e -> srq(e, SrqContextLayout.Field.PD)));
        columns.add(new Column("xrcdn", e -> ofXrc(e, SrqContextLayout.Field.XRCD)));
        columns.add(new Column("cqn", e -> ofXrc(e, SrqContextLayout.Field.CQ)));
        columns.add(new Column("wr", e -> srq(e, SrqContextLayout.Field.ENTRIES)));
        columns.add(new Column("limit", e -> srq(e, SrqContextLayout.Field.LIMIT)));
        columns.add(new Column("users", e -> srq(e, SrqContextLayout.Field.QUEUE_PAIRS)));
        columns.add(new Column("ctxn", e -> srq(e, SrqContextLayout.Field.UAR)));
        TableResource.owner(columns, SrqContextLayout::get, SrqContextLayout.Field.DOMAIN);
        return new TableResource("srq", Table.SRQ, columns);
    }

    private static long srq(Entry entry, SrqContextLayout.Field field) {
        return SrqContextLayout.get(entry.memory(), entry.offset(), field);
    }

    private static @Nullable Object ofXrc(Entry entry, SrqContextLayout.Field field) {
        return srq(entry, SrqContextLayout.Field.XRCD) == 0 ? null : srq(entry, field);
    }

    /** A group is nobody's. */
    private static Resource multicastGroups() {
        return new TableResource(
                "mcg",
                Table.MCG,
                List.of(
                        new Column("dev", Entry::hca),
                        new Column("mgid", e -> McgContextLayout.gid(e.memory(), e.offset())),
                        new Column("mlid", e -> McgContextLayout.lid(e.memory(), e.offset())),
                        new Column("qp", e -> McgContextLayout.queuePairs(e.memory(), e.offset()))));
    }

    private static boolean isTarget(Entry entry) {
        return get(entry, Field.TYPE) == QpType.XRC_RECV.code();
    }

    static String type(long code) {
        for (QpType type : QpType.values()) {
            if (type.code() == code) {
                return switch (type) {
                    case RC, UC, UD -> type.name();
                    case XRC_SEND -> "XRC_INI";
                    case XRC_RECV -> "XRC_TGT";
                };
            }
        }
        return "?" + code;
    }

    private static String state(Entry entry) {
        return HcaView.state(get(entry, Field.STATE));
    }

    static long get(Entry entry, Field field) {
        return QpContextLayout.get(entry.memory(), entry.offset(), field);
    }
}
