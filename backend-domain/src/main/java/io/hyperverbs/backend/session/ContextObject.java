package io.hyperverbs.backend.session;

import io.hyperverbs.backend.event.EventTarget;
import io.hyperverbs.backend.event.SessionEvents;
import io.hyperverbs.backend.forwarded.ForwardedContext;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.memory.MappedExtent;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** An opened device: a UAR page and what hangs below it. Events reach it on the relay's thread. */
public final class ContextObject extends SessionObject implements EventTarget {
    private final int uar;
    private final MappedExtent uarPage;
    private final DataPathKind dataPath;
    private final @Nullable ForwardedContext forwarded;
    private final SessionEvents events;
    private final Map<Integer, CqObject> cqs = new ConcurrentHashMap<>();
    private long uarGrant;
    private long statusGrant;

    /**
     * @param uar the HCA's number of the page
     * @param forwarded the data path that the backend runs for it; null with bypass
     * @param events where its events go
     */
    public ContextObject(
            int uar,
            MappedExtent uarPage,
            DataPathKind dataPath,
            @Nullable ForwardedContext forwarded,
            SessionEvents events) {
        this.uar = uar;
        this.uarPage = uarPage;
        this.dataPath = dataPath;
        this.forwarded = forwarded;
        this.events = events;
    }

    public int uar() {
        return uar;
    }

    public MappedExtent uarPage() {
        return uarPage;
    }

    public long uarMachineAddress() {
        return uarPage.firstMachineFrame() * FrameRun.FRAME_BYTES;
    }

    public DataPathKind dataPath() {
        return dataPath;
    }

    public @Nullable ForwardedContext forwarded() {
        return forwarded;
    }

    /** Remembers what was granted to the domain, for the day it is revoked; 0: nothing. */
    public void grants(long ofUar, long ofStatusPage) {
        this.uarGrant = ofUar;
        this.statusGrant = ofStatusPage;
    }

    public long uarGrant() {
        return uarGrant;
    }

    public long statusGrant() {
        return statusGrant;
    }

    /** Events of the queue are known by its number from now on. */
    public void addCq(CqObject cq) {
        cqs.put(cq.number(), cq);
    }

    public void removeCq(CqObject cq) {
        cqs.remove(cq.number());
    }

    @Override
    public void completion(int number) {
        CqObject cq = cqs.get(number);
        if (cq == null) {
            return;
        }
        if (dataPath == DataPathKind.FORWARDED && forwarded != null) {
            // The pump armed it; what the domain armed is decided where completions are pushed.
            forwarded.wake();
        } else if (cq.wantsEvents()) {
            events.completion(cq.handle());
        }
    }

    @Override
    public void async(int typeCode, int number) {
        events.async(handle(), new AsyncEvent(AsyncEvent.Type.of(typeCode), number));
    }
}
