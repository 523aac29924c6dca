package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.SharedReceiveQueue;
import io.hyperverbs.verbs.SrqLimits;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.WorkCompletion;
import java.util.TreeMap;

/**
 * Receives what several guests send from one shared queue, which it fills anew when told that it
 * runs low; prints what came from whom. Arguments: the guests' names.
 */
public final class SrqOwner {
    static final int MESSAGES = 4;

    private static final int FIRST_RECEIVES = 4;
    private static final int LIMIT = 2;

    private SrqOwner() {}

    public static void main(String[] args) throws Exception {
        try (Node node = new Node()) {
            SharedReceiveQueue srq = node.closing(node.pd.createSrq(new SrqLimits(16, 1)));
            int slot = post(node, srq, 1, FIRST_RECEIVES);
            srq.armLimit(LIMIT);
            TreeMap<Integer, StringBuilder> heard = new TreeMap<>();
            TreeMap<String, Integer> guests = new TreeMap<>();
            for (String guest : args) {
                RcQueuePair qp = node.closing(node.pd.createRc(QpLimits.of(4, 0), node.cq, node.cq, srq));
                node.offer("to-" + guest, qp.qpn());
                Node.connect(qp, node.offered(guest, "end"));
                heard.put(qp.qpn(), new StringBuilder(guest).append(':'));
                guests.put(guest, qp.qpn());
            }
            node.tell("up", "yes");
            AsyncEvent event = node.event();
            System.out.println(event.type() + " " + (event.number() == srq.srqn()));
            int messages = MESSAGES * args.length;
            var _ = post(node, srq, slot, messages - FIRST_RECEIVES);
            for (int i = 0; i < messages; i++) {
                WorkCompletion found = node.next();
                heard.get(found.qpn()).append(' ').append(node.read((int) found.wrId()));
            }
            guests.values().forEach(qpn -> System.out.println(heard.get(qpn)));
        }
    }

    /** Posts so many receives into the slots from {@code slot} on; returns the next slot. */
    private static int post(Node node, SharedReceiveQueue srq, int slot, int count) throws VerbsException {
        for (int i = slot; i < slot + count; i++) {
            Node.posted(srq.postReceive(node.receive(i)));
        }
        return slot + count;
    }
}
