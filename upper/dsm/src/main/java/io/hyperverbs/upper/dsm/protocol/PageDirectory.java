package io.hyperverbs.upper.dsm.protocol;

import io.hyperverbs.upper.dsm.protocol.PageEntry.PageRequest;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The home's part: serves the requests for each of its minipages one after another. A request is served until the access
 * for which it was made is done, so that a copy is of use at least once before it is taken away again.
 *
 * <p>One writer or several readers: before somebody may write, all others have dropped their copies.
 */
final class PageDirectory {
    private final int home;
    private final boolean readersFetch;
    private final ControlOutbox outbox;
    private final Map<Integer, PageEntry> entries = new HashMap<>();

    /** @param readersFetch readers fetch what nobody may write by RDMA read, without the owner */
    PageDirectory(int home, boolean readersFetch, ControlOutbox outbox) {
        this.home = home;
        this.readersFetch = readersFetch;
        this.outbox = outbox;
    }

    void request(int minipage, int node, boolean isWrite) {
        PageEntry entry = entry(minipage);
        PageRequest request = new PageRequest(node, isWrite);
        if (entry.current == null) {
            serve(minipage, entry, request);
        } else {
            entry.waiting.add(request);
        }
    }

    private void serve(int minipage, PageEntry entry, PageRequest request) {
        entry.current = request;
        if (request.isWrite()) {
            invalidate(minipage, entry, request.node());
        } else {
            lend(minipage, entry, request.node());
        }
    }

    private void lend(int minipage, PageEntry entry, int reader) {
        if (readersFetch && !entry.isExclusive) {
            outbox.send(reader, ControlMessage.about(ControlType.READ_AT, minipage, entry.owner));
        } else {
            outbox.send(entry.owner, ControlMessage.about(ControlType.LEND_COPY, minipage, reader));
        }
        entry.isExclusive = false;
        entry.holders |= PageEntry.bit(reader);
    }

    /** A writer without a copy gets the owner's, who drops it then; one that has a copy waits for all others. */
    private void invalidate(int minipage, PageEntry entry, int writer) {
        long others = entry.holders & ~PageEntry.bit(writer);
        if (!entry.holds(writer)) {
            others &= ~PageEntry.bit(entry.owner);
        }
        entry.invalidationsLeft = Long.bitCount(others);
        if (others == 0) {
            makeWriter(minipage, entry, writer);
            return;
        }
        for (long left = others; left != 0; left &= left - 1) {
            outbox.send(Long.numberOfTrailingZeros(left), ControlMessage.of(ControlType.INVALIDATE, minipage));
        }
    }

    void invalidated(int minipage, int node) {
        PageEntry entry = entry(minipage);
        PageRequest current = entry.current;
        if (current == null || entry.invalidationsLeft == 0) {
            throw unexpected("an invalidation", minipage, node);
        }
        entry.invalidationsLeft--;
        if (entry.invalidationsLeft == 0) {
            makeWriter(minipage, entry, current.node());
        }
    }

    private void makeWriter(int minipage, PageEntry entry, int writer) {
        if (entry.holds(writer)) {
            outbox.send(writer, ControlMessage.of(ControlType.WRITE_GRANT, minipage));
        } else {
            outbox.send(entry.owner, ControlMessage.about(ControlType.GIVE_UP, minipage, writer));
        }
        entry.owner = writer;
        entry.holders = PageEntry.bit(writer);
        entry.isExclusive = true;
    }

    void done(int minipage, int node) {
        PageEntry entry = entry(minipage);
        PageRequest current = entry.current;
        if (current == null || current.node() != node) {
            throw unexpected("the end of an access", minipage, node);
        }
        entry.current = null;
        @Nullable PageRequest next = entry.waiting.poll();
        if (next != null) {
            serve(minipage, entry, next);
        }
    }

    private PageEntry entry(int minipage) {
        return entries.computeIfAbsent(minipage, _ -> new PageEntry(home));
    }

    private static DsmViolation unexpected(String what, int minipage, int node) {
        return new DsmViolation(
                "node " + node + " sent " + what + " of minipage " + minipage + ", which it was not asked for");
    }
}
