package io.hyperverbs.toolstack.resource;

import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.CqContextLayout;
import io.hyperverbs.hca.layout.PdContextLayout;
import io.hyperverbs.hca.layout.QpContextLayout;
import io.hyperverbs.hca.layout.QpContextLayout.Field;
import io.hyperverbs.hca.layout.RegionContextLayout;
import io.hyperverbs.hca.layout.SrqContextLayout;
import io.hyperverbs.hca.layout.UarContextLayout;
import io.hyperverbs.toolstack.machine.CardView;
import io.hyperverbs.toolstack.resource.Resource.NamedField;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.vmm.domain.DomainReport;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** The kinds of objects there are, in the order {@code rdma resource} counts them. */
public final class Resources {
    private static final List<Resource> ALL =
            List.of(
                    queuePairs(),
                    Resource.of(
                            "cq",
                            Table.CQ,
                            CqContextLayout::get,
                            CqContextLayout.Field.DOMAIN,
                            new NamedField<>("cqn", CqContextLayout.Field.NUMBER),
                            new NamedField<>("cqe", CqContextLayout.Field.ENTRIES),
                            new NamedField<>("users", CqContextLayout.Field.QUEUE_PAIRS),
                            new NamedField<>("ctxn", CqContextLayout.Field.UAR)),
                    Resource.of(
                            "mr",
                            Table.REGION,
                            RegionContextLayout::get,
                            RegionContextLayout.Field.DOMAIN,
                            // Keys are what protects a region; they are not for display.
                            new NamedField<>("mrn", RegionContextLayout.Field.NUMBER),
                            new NamedField<>("mrlen", RegionContextLayout.Field.LENGTH_BYTES),
                            new NamedField<>("pdn", RegionContextLayout.Field.PD)),
                    Resource.of(
                            "pd",
                            Table.PD,
                            PdContextLayout::get,
                            PdContextLayout.Field.DOMAIN,
                            new NamedField<>("pdn", PdContextLayout.Field.NUMBER),
                            new NamedField<>("mr", PdContextLayout.Field.REGIONS),
                            new NamedField<>("qp", PdContextLayout.Field.QUEUE_PAIRS)),
                    Resource.of(
                            "srq",
                            Table.SRQ,
                            SrqContextLayout::get,
                            SrqContextLayout.Field.DOMAIN,
                            new NamedField<>("srqn", SrqContextLayout.Field.SRQN),
                            new NamedField<>("pdn", SrqContextLayout.Field.PD),
                            new NamedField<>("wr", SrqContextLayout.Field.ENTRIES),
                            new NamedField<>("limit", SrqContextLayout.Field.LIMIT),
                            new NamedField<>("users", SrqContextLayout.Field.QUEUE_PAIRS),
                            new NamedField<>("ctxn", SrqContextLayout.Field.UAR)),
                    Resource.of(
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

    /** All objects of a kind, one row each. */
    public static Listing list(
            Resource resource, CardView card, String name, List<DomainReport> domains) {
        Listing listing =
                new Listing(
                        "hv.rdma.resource/1",
                        resource.word(),
                        resource.columns().stream().map(Column::name).toList());
        for (long offset : card.entries(resource.table())) {
            Entry entry = new Entry(card.memory(), offset, name, domains);
            List<@Nullable Object> row = new ArrayList<>();
            for (Column column : resource.columns()) {
                row.add(column.value().of(entry));
            }
            listing.row(row);
        }
        return listing;
    }

    /** How many there are of each kind. */
    public static Listing summary(CardView card, String name) {
        List<String> columns = new ArrayList<>(List.of("dev"));
        List<@Nullable Object> row = new ArrayList<>();
        row.add(name);
        for (Resource resource : ALL) {
            columns.add(resource.word());
            row.add(card.entries(resource.table()).size());
        }
        Listing listing = new Listing("hv.rdma.resource/1", "resources", columns);
        listing.row(row);
        return listing;
    }

    private static Resource queuePairs() {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("link", Resources::link));
        columns.add(Resource.column(new NamedField<>("lqpn", Field.QPN), QpContextLayout::get));
        columns.add(
                new Column(
                        "rqpn", e -> get(e, Field.DEST_QPN) == 0 ? null : get(e, Field.DEST_QPN)));
        columns.add(new Column("type", e -> type(get(e, Field.TYPE))));
        columns.add(new Column("state", Resources::state));
        columns.add(new Column("rq-psn", e -> get(e, Field.RQ_PSN)));
        columns.add(new Column("sq-psn", e -> get(e, Field.SQ_PSN)));
        columns.add(new Column("pdn", e -> get(e, Field.PD)));
        columns.add(new Column("scqn", e -> get(e, Field.SEND_CQ)));
        columns.add(new Column("rcqn", e -> get(e, Field.RECEIVE_CQ)));
        columns.add(new Column("ctxn", e -> get(e, Field.UAR)));
        Resource.owner(columns, QpContextLayout::get, Field.DOMAIN);
        return new Resource("qp", Table.QP, columns);
    }

    /** {@code hv0/1}; a queue pair has no port before INIT. */
    static String link(Entry entry) {
        long port = get(entry, Field.PORT);
        return entry.card() + "/" + (port == 0 ? "-" : Long.toString(port));
    }

    private static String type(long code) {
        for (QpType type : QpType.values()) {
            if (type.code() == code) {
                return type.name();
            }
        }
        return "?" + code;
    }

    private static String state(Entry entry) {
        long state = get(entry, Field.STATE);
        return QpState.isCode(state) ? QpState.of((int) state).name() : "?" + state;
    }

    static long get(Entry entry, Field field) {
        return QpContextLayout.get(entry.memory(), entry.offset(), field);
    }
}
