package io.hyperverbs.lab.run.isolate;

import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.launcher.context.HcaView;
import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.domain.MachineException;
import io.hyperverbs.vmm.hypercall.SessionReport.Rejection;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/**
 * What was counted of misdeeds so far: errors by the HCA, rejected acts of one attacker by the
 * device domain. Victims make no errors, so what grows is the attacker's.
 */
final class Traces {
    /** Stands for an attacker's counts when its session is gone. */
    static final String SESSION_CLOSED = "session_closed";

    private final SequencedMap<String, Long> counts;

    private Traces(SequencedMap<String, Long> counts) {
        this.counts = counts;
    }

    /** Reads them now; of an attacker that is not there yet there are none. */
    static Traces read(MachineClient client, String attacker) throws MachineException {
        SequencedMap<String, Long> counts = new LinkedHashMap<>();
        HcaView device = HcaView.read(client);
        for (Counter counter : Counter.values()) {
            if (!isTraffic(counter)) {
                counts.put(counter.text(), device.counter(counter));
            }
        }
        try {
            for (Rejection one : client.describeSession(attacker, 0).rejections()) {
                counts.put(one.act(), one.count());
            }
        } catch (MachineException gone) {
            counts.put(SESSION_CLOSED, 1L);
        }
        return new Traces(counts);
    }

    /** What honest guests count up too. */
    private static boolean isTraffic(Counter counter) {
        return switch (counter) {
            case RX_WRITE_REQUESTS,
                    RX_READ_REQUESTS,
                    RX_ATOMIC_REQUESTS,
                    RX_SEND_REQUESTS,
                    PORT_XMIT_DATA,
                    PORT_XMIT_PACKETS -> true;
            default -> false;
        };
    }

    /** What has grown since, and by how much. */
    SequencedMap<String, Long> since(Traces before) {
        SequencedMap<String, Long> grown = new LinkedHashMap<>();
        counts.forEach((name, count) -> {
            long more = count - before.counts.getOrDefault(name, 0L);
            if (more > 0) {
                grown.put(name, more);
            }
        });
        return grown;
    }

    /** Such as {@code rejected_verb +1000}. */
    static String words(SequencedMap<String, Long> grown) {
        return grown.entrySet().stream()
                .map(one -> one.getKey() + " +" + one.getValue())
                .collect(Collectors.joining(", "));
    }
}
