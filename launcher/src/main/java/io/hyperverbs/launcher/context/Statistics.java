package io.hyperverbs.launcher.context;

import io.hyperverbs.hca.layout.ContextMemoryLayout;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.PortContextLayout;
import io.hyperverbs.hca.layout.QpContextLayout;
import io.hyperverbs.hca.layout.QpContextLayout.Field;
import io.hyperverbs.hca.layout.TotalsLayout;
import io.hyperverbs.hca.layout.TotalsLayout.Traffic;
import io.hyperverbs.hca.layout.UarContextLayout;
import io.hyperverbs.launcher.output.Listing;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.MachineException;
import io.hyperverbs.vmm.hypercall.SessionReport.Rejection;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The counters of the HCA, of a port, of a domain, of a queue pair; by the names of the kernel's
 * {@code hw_counters} where it has one. What a port or domain counted is what its live queue pairs
 * have, and what those that are gone have left.
 */
public final class Statistics {
    private static final String SCHEMA = "hv.rdma.statistic/1";

    /** Counters added up over queue pairs. */
    private static final class Sum {
        private final Map<Traffic, Long> traffic = new EnumMap<>(Traffic.class);
        private final Map<Counter, Long> counters = new EnumMap<>(Counter.class);

        void addQueuePair(Entry entry) {
            traffic.merge(Traffic.TX_MESSAGES, Resources.get(entry, Field.SENT_MESSAGES), Long::sum);
            traffic.merge(Traffic.TX_BYTES, Resources.get(entry, Field.SENT_BYTES), Long::sum);
            traffic.merge(Traffic.RX_MESSAGES, Resources.get(entry, Field.RECEIVED_MESSAGES), Long::sum);
            traffic.merge(Traffic.RX_BYTES, Resources.get(entry, Field.RECEIVED_BYTES), Long::sum);
            for (Counter counter : Counter.values()) {
                counters.merge(counter, QpContextLayout.counter(entry.memory(), entry.offset(), counter), Long::sum);
            }
        }

        void addTotals(HcaView hca, long totals) {
            for (Traffic kind : Traffic.values()) {
                traffic.merge(kind, TotalsLayout.get(hca.memory(), totals, kind), Long::sum);
            }
            for (Counter counter : Counter.values()) {
                counters.merge(counter, TotalsLayout.get(hca.memory(), totals, counter), Long::sum);
            }
        }

        void addTo(List<@Nullable Object> row) {
            for (Traffic kind : Traffic.values()) {
                row.add(traffic.getOrDefault(kind, 0L));
            }
            for (Counter counter : Counter.values()) {
                if (counter.isOfQueuePairs()) {
                    row.add(counters.getOrDefault(counter, 0L));
                }
            }
        }
    }

    private final HcaView hca;
    private final String name;
    private final Inventory inventory;

    public Statistics(Inventory inventory) {
        this.hca = inventory.hca();
        this.name = inventory.name();
        this.inventory = inventory;
    }

    /** All that the HCA counts as a whole. */
    public Listing hca() {
        List<String> columns = new ArrayList<>(List.of("dev"));
        List<@Nullable Object> row = new ArrayList<>();
        row.add(name);
        for (Counter counter : Counter.values()) {
            columns.add(counter.text());
            row.add(hca.counter(counter));
        }
        Listing listing = new Listing(SCHEMA, "dev", columns);
        listing.row(row);
        return listing;
    }

    /** One row for each port. */
    public Listing ports() {
        List<String> columns = columns("link");
        columns.add("bad_pkey_cntr");
        columns.add("qkey_viol_cntr");
        Listing listing = new Listing(SCHEMA, "link", columns);
        for (int port = 1; port <= hca.portCount(); port++) {
            Sum sum = new Sum();
            long entry = ContextMemoryLayout.port(0, port);
            sum.addTotals(hca, PortContextLayout.totals(entry));
            for (Entry qp : queuePairs()) {
                if (Resources.get(qp, Field.PORT) == port) {
                    sum.addQueuePair(qp);
                }
            }
            List<@Nullable Object> row = new ArrayList<>();
            row.add(name + "/" + port);
            sum.addTo(row);
            row.add(port(entry, PortContextLayout.Field.BAD_PKEYS));
            row.add(port(entry, PortContextLayout.Field.QKEY_VIOLATIONS));
            listing.row(row);
        }
        return listing;
    }

    private long port(long entry, PortContextLayout.Field field) {
        return PortContextLayout.get(hca.memory(), entry, field);
    }

    /** One row for each domain that has the device open, with what of its acts was rejected. */
    public Listing guests() {
        Map<String, List<Rejection>> rejections = rejections();
        List<String> columns = columns("guest");
        rejections.values().stream().findFirst().ifPresent(acts -> acts.forEach(one -> columns.add(one.act())));
        Listing listing = new Listing(SCHEMA, "guest", columns);
        for (DomainReport domain : inventory.domains()) {
            Sum sum = new Sum();
            boolean open = false;
            for (long uar : hca.entries(Table.UAR)) {
                if (domainOf(uar) == domain.id()) {
                    sum.addTotals(hca, UarContextLayout.totals(uar));
                    open = true;
                }
            }
            for (Entry qp : queuePairs()) {
                if (Resources.get(qp, Field.DOMAIN) == domain.id()) {
                    sum.addQueuePair(qp);
                }
            }
            if (open) {
                List<@Nullable Object> row = new ArrayList<>();
                row.add(domain.name());
                sum.addTo(row);
                rejections.getOrDefault(domain.name(), List.of()).forEach(one -> row.add(one.count()));
                while (row.size() < columns.size()) {
                    row.add(null);
                }
                listing.row(row);
            }
        }
        return listing;
    }

    /** As the backend counts them; a domain that is ending is not among them. */
    private Map<String, List<Rejection>> rejections() {
        Map<String, List<Rejection>> all = new LinkedHashMap<>();
        for (DomainReport domain : inventory.guests()) {
            try {
                all.put(domain.name(), inventory.sessions().of(domain.name(), 0).rejections());
            } catch (MachineException e) {
                // It has ended by now, or the backend does not answer: then nothing is said.
            }
        }
        return all;
    }

    private long domainOf(long uar) {
        return UarContextLayout.get(hca.memory(), uar, UarContextLayout.Field.DOMAIN);
    }

    /** One row for each queue pair. */
    public Listing queuePairRows() {
        List<String> columns = columns("link");
        columns.addAll(1, List.of("lqpn", "comm"));
        Listing listing = new Listing(SCHEMA, "qp", columns);
        for (Entry qp : queuePairs()) {
            Sum sum = new Sum();
            sum.addQueuePair(qp);
            List<@Nullable Object> row = new ArrayList<>();
            row.add(Resources.link(qp));
            row.add(Resources.get(qp, Field.QPN));
            row.add(qp.nameOf(Resources.get(qp, Field.DOMAIN)));
            sum.addTo(row);
            listing.row(row);
        }
        return listing;
    }

    private List<Entry> queuePairs() {
        return hca.entries(Table.QP).stream()
                .map(offset -> new Entry(hca.memory(), offset, name, inventory.domains()))
                .toList();
    }

    private static List<String> columns(String first) {
        List<String> columns = new ArrayList<>(List.of(first));
        for (Traffic kind : Traffic.values()) {
            columns.add(kind.name().toLowerCase(Locale.ROOT));
        }
        for (Counter counter : Counter.values()) {
            if (counter.isOfQueuePairs()) {
                columns.add(counter.text());
            }
        }
        return columns;
    }
}
