package io.hyperverbs.toolstack.walk.model;

import io.hyperverbs.toolstack.walk.step.Place;
import io.hyperverbs.toolstack.walk.step.SendRequest;
import io.hyperverbs.toolstack.walk.step.Slots;

import java.util.ArrayList;
import java.util.List;

/** What the places of requests mean when they are posted. */
final class Places {
    private final Objects objects;
    private final int domains;

    Places(Objects objects, int domains) {
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
        ModelRegion region = place.region() < 0 ? null : objects.regionOf(place.region());
        int context = region == null ? poster : region.pd.context;
        return new Span(region, base(context) + place.offset(), length);
    }

    /** Places of the poster's memory, whatever their keys. */
    List<Span> own(ModelQp qp, List<Place> places) {
        return places.stream()
                .map(place -> new Span(null, base(qp.context()) + place.offset(), place.length()))
                .toList();
    }

    Span remote(ModelQp qp, SendRequest request) {
        long length = request.verb().isAtomic() ? Long.BYTES : request.lengthBytes();
        // No region is longer than the longest int.
        return span(qp.context(), request.remote(), (int) Math.min(Integer.MAX_VALUE, length));
    }
}
