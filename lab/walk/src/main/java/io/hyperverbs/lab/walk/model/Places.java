package io.hyperverbs.lab.walk.model;

import io.hyperverbs.lab.walk.step.Place;
import io.hyperverbs.lab.walk.step.SendRequest;
import io.hyperverbs.lab.walk.step.Slots;
import io.hyperverbs.lab.walk.step.StepVerb;
import java.util.ArrayList;
import java.util.List;

/** What the places of requests mean when they are posted. */
final class Places {
    private final ModelObjects objects;
    private final int domains;

    Places(ModelObjects objects, int domains) {
        this.objects = objects;
        this.domains = domains;
    }

    /** First byte of the memory that the domain of a context has. */
    long base(int context) {
        return (long) Slots.domainOf(context, domains) * Slots.ARENA_BYTES;
    }

    /**
     * @param context of the poster
     */
    List<Span> spans(int context, List<Place> places) {
        List<Span> spans = new ArrayList<>();
        for (Place place : places) {
            spans.add(span(context, place, place.length()));
        }
        return spans;
    }

    private Span span(int poster, Place place, int length) {
        if (place.isWindow()) {
            ModelWindow window = objects.windowOf(place.windowSlot());
            int context = window == null ? poster : window.pd.context();
            Key key = window == null ? null : new ModelWindowKey(window, place.tag());
            return new Span(key, base(context) + place.offset(), length);
        }
        ModelRegion region = place.key() < 0 ? null : objects.regionOf(place.key());
        int context = region == null ? poster : region.pd.context();
        return new Span(region, base(context) + place.offset(), length);
    }

    /** Places of the poster's memory, whatever their keys. */
    List<Span> own(ModelQp qp, List<Place> places) {
        return places.stream()
                .map(place -> new Span(null, base(qp.context()) + place.offset(), place.length()))
                .toList();
    }

    Span remote(ModelQp qp, SendRequest request) {
        if (request.verb().isDatagram()) {
            return new Span(null, 0, 0);
        }
        if (request.verb() == StepVerb.BIND) {
            return span(qp.context(), request.remote(), request.remote().length());
        }
        long length = request.verb().isAtomic() ? Long.BYTES : request.lengthBytes();
        // No region is longer than the longest int.
        return span(qp.context(), request.remote(), (int) Math.min(Integer.MAX_VALUE, length));
    }
}
