package io.hyperverbs.lab.walk.choose;

import io.hyperverbs.lab.walk.model.Model;
import io.hyperverbs.lab.walk.model.ModelQp;
import io.hyperverbs.lab.walk.model.ModelRegion;
import io.hyperverbs.lab.walk.model.ModelSrq;
import io.hyperverbs.lab.walk.step.Place;
import io.hyperverbs.lab.walk.step.SendRequest;
import io.hyperverbs.lab.walk.step.Slots;
import io.hyperverbs.lab.walk.step.Step;
import io.hyperverbs.lab.walk.step.StepVerb;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.SendFlags;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Batches for the send and the receive queue. */
final class Posts {
    private static final int LONGEST = 700;
    private static final int TOO_LONG = 8000;
    private static final int PERCENT_WRONG = 4;
    private static final int PERCENT_STALE = 2;
    private static final int PERCENT_WINDOWS = 20;
    private static final Place NOWHERE = new Place(Place.NO_KEY, 0, 0);

    private final Dice dice;

    private final VerbChoice verbs;
    private final WindowUses windows;
    private final DatagramSteps datagrams;

    Posts(Dice dice) {
        this.dice = dice;
        this.verbs = new VerbChoice(dice);
        this.windows = new WindowUses(dice);
        this.datagrams = new DatagramSteps(dice);
    }

    Step receive(Model model, int slot) {
        ModelQp qp = there(model.objects().qp(slot));
        for (int srq = 0; srq < Slots.SRQS && dice.chance(97); srq++) {
            ModelSrq queue = model.objects().srq(srq);
            if (queue != null && qp.takesFrom(queue)) {
                // With several in wait for it none is posted; one of them ends.
                return model.objects().isContended(srq)
                        ? new Step.Modify(slot, Map.of(QpAttribute.STATE, (long) QpState.RESET.code()))
                        : shared(model, srq);
            }
        }
        return new Step.PostReceive(slot, receives(model, qp::shares, pieces(qp)));
    }

    /** Receives for a shared queue. */
    Step shared(Model model, int slot) {
        ModelSrq srq = there(model.objects().srq(slot));
        return new Step.PostShared(slot, receives(model, srq::shares, srq.pieces()));
    }

    private List<List<Place>> receives(Model model, Predicate<ModelRegion> inPd, int mostPieces) {
        int count = dice.chance(97) ? dice.between(1, 4) : dice.between(5, 20);
        List<List<Place>> receives = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<Place> pieces = new ArrayList<>();
            int wanted = dice.chance(97) ? dice.between(1, mostPieces) : mostPieces + 1;
            for (int p = 0; p < wanted; p++) {
                pieces.add(local(model, inPd, LONGEST, Access.LOCAL_WRITE.bit(), dice.chance(3)));
            }
            receives.add(pieces);
        }
        return receives;
    }

    Step send(Model model, int slot) {
        ModelQp qp = there(model.objects().qp(slot));
        ModelQp peer = model.objects().qp(model.objects().peerOf(slot));
        int count = dice.chance(60) ? 1 : dice.chance(97) ? dice.between(2, 5) : 20;
        List<SendRequest> requests = new ArrayList<>();
        int receives = peer == null ? 0 : peer.receivesPosted();
        for (int i = 0; i < count; i++) {
            if (qp.type() == QpType.UD && dice.chance(97)) {
                requests.add(datagram(model, qp, dice.chance(i == count - 1 ? 92 : 50)));
                continue;
            }
            Optional<SendRequest> onWindow =
                    dice.chance(PERCENT_WINDOWS) ? windows.request(model, qp, peer, receives > 0) : Optional.empty();
            if (onWindow.isPresent()) {
                receives -= onWindow.get().verb().takesReceive() ? 1 : 0;
                requests.add(onWindow.get());
                continue;
            }
            StepVerb verb = verbs.verb(qp, peer, receives);
            receives -= verb.takesReceive() ? 1 : 0;
            // The last one tells that all before it are done.
            boolean signalled = dice.chance(i == count - 1 ? 92 : 50);
            requests.add(
                    dice.chance(PERCENT_WRONG)
                            ? wrong(model, qp, peer, verb)
                            : request(model, qp, peer, verb, signalled));
        }
        return new Step.PostSend(slot, requests);
    }

    private SendRequest datagram(Model model, ModelQp qp, boolean signalled) {
        Place address = datagrams.address(model, qp);
        boolean inline = qp.inlineBytes() > 0 && dice.chance(25);
        int room = datagrams.room(model, address);
        int longest = dice.chance(95) ? room : dice.chance(50) ? room + 1 : TOO_LONG;
        int count = dice.between(1, pieces(qp));
        List<Place> pieces = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            pieces.add(
                    inline
                            ? inlinePiece(Math.min(longest, qp.inlineBytes()) / count)
                            : local(model, qp::shares, longest / count, 0, dice.chance(2)));
        }
        int flags = (signalled ? SendFlags.SIGNALLED : 0) | (inline ? SendFlags.INLINE : 0);
        return new SendRequest(
                dice.chance(70) ? StepVerb.DATAGRAM : StepVerb.DATAGRAM_IMM,
                flags,
                pieces,
                address,
                (int) dice.any(),
                0);
    }

    private SendRequest request(Model model, ModelQp qp, @Nullable ModelQp peer, StepVerb verb, boolean signalled) {
        int flags = signalled ? SendFlags.SIGNALLED : 0;
        flags |= dice.chance(10) ? SendFlags.FENCE : 0;
        flags |= dice.chance(10) ? SendFlags.SOLICITED : 0;
        int local = verb.returnsData() ? Access.LOCAL_WRITE.bit() : 0;
        boolean served = !fitting(model, qp::shares, local).isEmpty();
        boolean reaches = peer == null
                || verb.isSend()
                || !fitting(model, peer::shares, verb.right()).isEmpty();
        if (!(served && reaches) && dice.chance(90)) {
            // Nothing of it is checked but the right of the peer's queue pair.
            StepVerb empty = verb.isAtomic() ? StepVerb.READ : verb;
            return new SendRequest(empty, flags, List.of(), NOWHERE, (int) dice.any(), 0);
        }
        if (verb.isAtomic()) {
            // Room for the word after its address is rounded up.
            Place remote = remote(model, peer, verb, 2 * Long.BYTES);
            Place aligned = new Place(remote.key(), remote.offset() + 7 & ~7L, Long.BYTES);
            Place word = word(model, qp);
            return new SendRequest(verb, flags, List.of(word), aligned, dice.chance(50) ? 0 : dice.any(), dice.any());
        }
        List<Place> pieces = new ArrayList<>();
        boolean inline = !verb.returnsData() && qp.inlineBytes() > 0 && dice.chance(25);
        int longest = longest(model, peer, verb);
        int count = dice.between(1, pieces(qp));
        for (int i = 0; i < count; i++) {
            pieces.add(
                    inline
                            ? inlinePiece(Math.min(longest, qp.inlineBytes()) / count)
                            : local(model, qp::shares, longest / count, local, false));
        }
        int length = pieces.stream().mapToInt(Place::length).sum();
        return new SendRequest(
                verb,
                flags | (inline ? SendFlags.INLINE : 0),
                pieces,
                remote(model, peer, verb, length),
                (int) dice.any(),
                0);
    }

    /** Most often what the peer's receive or some region of it can take. */
    private int longest(Model model, @Nullable ModelQp peer, StepVerb verb) {
        if (peer == null || dice.chance(2)) {
            return LONGEST;
        }
        long limit = verb.isSend()
                ? peer.nextReceiveBytes()
                : fitting(model, peer::shares, verb.right()).stream()
                        .map(model.objects()::regionOf)
                        .mapToLong(region -> region == null ? 0 : region.lengthBytes())
                        .max()
                        .orElse(LONGEST);
        return (int) Math.min(limit, LONGEST);
    }

    /** A request with one thing wrong, or one that is refused at post. */
    private SendRequest wrong(Model model, ModelQp qp, @Nullable ModelQp peer, StepVerb verb) {
        SendRequest good = request(model, qp, peer, verb, dice.chance(50));
        List<Place> pieces = new ArrayList<>(good.pieces());
        Place remote = good.remote();
        int flags = good.flags();
        switch (dice.below(9)) {
            case 0 -> {
                if (!pieces.isEmpty()) {
                    pieces.set(0, spoiled(model, pieces.getFirst()));
                }
            }
            case 1, 2, 3 -> remote = spoiled(model, remote);
            case 4 -> remote = new Place(remote.key(), remote.offset() + 1, remote.length());
            case 5 -> pieces.add(first(pieces));
            case 6 -> {
                Place first = first(pieces);
                int length = dice.chance(50) ? -1 : Integer.MAX_VALUE;
                pieces.clear();
                pieces.add(new Place(first.key(), first.offset(), length));
            }
            case 7 -> {
                if ((flags & SendFlags.INLINE) == 0 && verb.returnsData()) {
                    flags |= SendFlags.INLINE;
                    pieces.clear();
                    pieces.add(inlinePiece(8));
                }
            }
            default -> {
                while (pieces.size() <= qp.pieces()) {
                    pieces.add(first(pieces));
                }
            }
        }
        if ((flags & SendFlags.INLINE) != 0) {
            // The library reads inline payload itself; elsewhere in its memory it may.
            pieces.replaceAll(Posts::refusedOutside);
        }
        return new SendRequest(verb, flags, pieces, remote, good.first(), good.second());
    }

    private static Place first(List<Place> pieces) {
        return pieces.isEmpty() ? NOWHERE : pieces.getFirst();
    }

    private static Place refusedOutside(Place place) {
        boolean inside =
                place.length() < 0 || (place.offset() >= 0 && place.offset() + place.length() <= Slots.ARENA_BYTES);
        return inside ? place : new Place(place.key(), Place.TOP, place.length());
    }

    /** Another key, or a range that leaves its region by a byte, or wraps. */
    private Place spoiled(Model model, Place place) {
        return switch (dice.below(9)) {
            case 8 -> new Place(windows.anyKey(model), place.offset(), place.length());
            case 6 -> new Place(place.key(), place.offset(), place.length() + 1);
            case 7 -> new Place(dead(model), place.offset(), place.length());
            case 0 -> new Place(Place.NO_KEY, place.offset(), place.length());
            case 1 -> new Place(dice.below(Slots.REGIONS), place.offset(), place.length());
            case 2 -> new Place(place.key(), Place.TOP + Place.TOP_BYTES - dice.between(1, 64), place.length());
            case 3 -> new Place(place.key(), -dice.between(1, 8), place.length());
            case 4 -> new Place(place.key(), Slots.ARENA_BYTES - 1L, place.length());
            default -> new Place(place.key(), place.offset() + LONGEST, place.length());
        };
    }

    /** A slot whose last region is gone, if there is one. */
    private int dead(Model model) {
        List<Integer> dead = new ArrayList<>();
        for (int slot = 0; slot < Slots.REGIONS; slot++) {
            ModelRegion region = model.objects().regionOf(slot);
            if (region != null && !region.isAlive()) {
                dead.add(slot);
            }
        }
        return dice.of(dead).orElse(Place.NO_KEY);
    }

    /** A piece for a key of a PD that has the rights, if there is one. */
    private Place local(Model model, Predicate<ModelRegion> inPd, int longest, int rights, boolean wrong) {
        Place place = in(model, inPd, longest, rights);
        return wrong ? spoiled(model, place) : place;
    }

    private Place remote(Model model, @Nullable ModelQp peer, StepVerb verb, int length) {
        if (peer == null || verb.isSend()) {
            return new Place(dice.below(Slots.REGIONS), 0, 0);
        }
        Optional<Place> shown = dice.chance(40) ? windows.shown(model, peer, verb.right(), length) : Optional.empty();
        if (shown.isPresent()) {
            return shown.get();
        }
        List<Integer> fitting = fittingOnce(model, peer::shares, verb.right()).stream()
                .filter(slot -> there(model.objects().regionOf(slot)).lengthBytes() >= length)
                .toList();
        int slot = dice.of(fitting).orElseGet(() -> dice.below(Slots.REGIONS));
        ModelRegion region = model.objects().regionOf(slot);
        if (region == null) {
            return new Place(slot, 0, 0);
        }
        int last = Math.max(0, region.lengthBytes() - length);
        int offset = dice.chance(40) ? last : dice.below(last + 1);
        return new Place(slot, region.offset() % Slots.ARENA_BYTES + offset, 0);
    }

    /** Slots of regions of a PD that may be used so. */
    private static List<Integer> fitting(Model model, Predicate<ModelRegion> inPd, int rights) {
        return fitting(model, rights, inPd.and(ModelRegion::isAlive));
    }

    /** The same; now and then of regions that are gone. */
    private List<Integer> fittingOnce(Model model, Predicate<ModelRegion> inPd, int rights) {
        Predicate<ModelRegion> gone = inPd.and(region -> !region.isAlive());
        return dice.chance(PERCENT_STALE) ? fitting(model, rights, gone) : fitting(model, inPd, rights);
    }

    private static List<Integer> fitting(Model model, int rights, Predicate<ModelRegion> wanted) {
        List<Integer> fitting = new ArrayList<>();
        for (int slot = 0; slot < Slots.REGIONS; slot++) {
            ModelRegion region = model.objects().regionOf(slot);
            if (region != null && wanted.test(region) && (region.access() & rights) == rights) {
                fitting.add(slot);
            }
        }
        return fitting;
    }

    private Place in(Model model, Predicate<ModelRegion> inPd, int longest, int rights) {
        int slot = dice.of(fittingOnce(model, inPd, rights)).orElseGet(() -> dice.below(Slots.REGIONS));
        ModelRegion region = model.objects().regionOf(slot);
        if (region == null) {
            return new Place(slot, 0, dice.between(0, 64));
        }
        int offset = dice.below(region.lengthBytes());
        int length = dice.between(0, Math.min(longest, region.lengthBytes() - offset));
        if (dice.chance(20)) {
            length = Math.min(longest, region.lengthBytes() - offset);
        }
        return new Place(slot, region.offset() % Slots.ARENA_BYTES + offset, length);
    }

    /** Where an atomic's result goes. */
    private Place word(Model model, ModelQp qp) {
        Place place = in(model, qp::shares, Long.BYTES, Access.LOCAL_WRITE.bit());
        ModelRegion region = place.key() < 0 ? null : model.objects().regionOf(place.key());
        if (region == null) {
            return new Place(place.key(), place.offset(), Long.BYTES);
        }
        long start = region.offset() % Slots.ARENA_BYTES;
        long last = start + region.lengthBytes() - Long.BYTES;
        return new Place(place.key(), Math.max(start, Math.min(last, place.offset())), Long.BYTES);
    }

    private Place inlinePiece(int longest) {
        int length = dice.between(0, Math.min(longest, 256));
        return new Place(Place.NO_KEY, dice.below(Slots.ARENA_BYTES - length + 1), length);
    }

    private static int pieces(ModelQp qp) {
        return Math.max(1, qp.pieces());
    }

    static <T> T there(@Nullable T object) {
        if (object == null) {
            throw new IllegalStateException("nothing is in that slot");
        }
        return object;
    }
}
