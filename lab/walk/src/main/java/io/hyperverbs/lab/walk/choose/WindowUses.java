package io.hyperverbs.lab.walk.choose;

import io.hyperverbs.lab.walk.model.Model;
import io.hyperverbs.lab.walk.model.ModelQp;
import io.hyperverbs.lab.walk.model.ModelRegion;
import io.hyperverbs.lab.walk.model.ModelWindow;
import io.hyperverbs.lab.walk.step.Place;
import io.hyperverbs.lab.walk.step.SendRequest;
import io.hyperverbs.lab.walk.step.Slots;
import io.hyperverbs.lab.walk.step.Step;
import io.hyperverbs.lab.walk.step.StepVerb;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.SendFlags;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What is done to memory windows and with their keys. */
final class WindowUses {
    private static final int REMOTE = Access.REMOTE_READ.bit() | Access.REMOTE_WRITE.bit() | Access.REMOTE_ATOMIC.bit();

    private final Dice dice;

    WindowUses(Dice dice) {
        this.dice = dice;
    }

    /** {@code ibv_bind_mw} through a queue pair; empty if there is nothing to bind. */
    Optional<Step> bind(Model model, int slot) {
        ModelQp qp = Posts.there(model.objects().qp(slot));
        return binding(model, qp, dice.chance(5)).map(request -> new Step.Bind(slot, request));
    }

    /** A bind, or an invalidation here or there; empty if there is no window for it. */
    Optional<SendRequest> request(Model model, ModelQp qp, @Nullable ModelQp peer, boolean isReceived) {
        int roll = dice.below(10);
        if (roll < 5) {
            return binding(model, qp, dice.chance(97));
        }
        if (roll < 7) {
            return Optional.of(ending(model, StepVerb.LOCAL_INV, qp));
        }
        return peer != null && isReceived ? Optional.of(ending(model, StepVerb.SEND_INV, peer)) : Optional.empty();
    }

    private Optional<SendRequest> binding(Model model, ModelQp qp, boolean typeTwo) {
        boolean any = dice.chance(4);
        List<Integer> windows = windows(
                model,
                one -> one.isAlive()
                        && one.isTypeTwo() == typeTwo
                        && (any || one.isIn(qp))
                        && (!typeTwo || !one.isBound() || dice.chance(5)));
        Optional<Integer> region = dice.of(regions(model, qp, any));
        Optional<Integer> slot = dice.of(windows);
        if (slot.isEmpty() || region.isEmpty()) {
            return Optional.empty();
        }
        ModelWindow window = Posts.there(model.objects().windowOf(slot.get()));
        int tag = dice.chance(94) ? window.posted() + 1 : dice.chance(50) ? window.tag() : dice.below(256);
        int access = dice.chance(90) ? REMOTE : dice.below(typeTwo ? 32 : 64);
        return Optional.of(new SendRequest(
                StepVerb.BIND,
                SendFlags.SIGNALLED | (dice.chance(10) ? SendFlags.FENCE : 0),
                List.of(),
                range(model, region.get()),
                slot.get(),
                SendRequest.binding(access, tag)));
    }

    private Place range(Model model, int slot) {
        ModelRegion region = Posts.there(model.objects().regionOf(slot));
        long start = region.offset() % Slots.ARENA_BYTES;
        int offset = dice.below(region.lengthBytes());
        int length = dice.between(1, region.lengthBytes() - offset);
        return switch (dice.below(16)) {
            case 0 -> new Place(slot, start + offset, region.lengthBytes() - offset + 1);
            case 1 -> new Place(slot, start - 1, length);
            case 2 -> new Place(slot, Place.TOP + Place.TOP_BYTES - 8, length);
            case 3 -> new Place(slot, start + offset, dice.chance(70) ? 0 : -1);
            default -> new Place(slot, start + (dice.chance(60) ? 0 : offset), length);
        };
    }

    private List<Integer> regions(Model model, ModelQp qp, boolean any) {
        List<Integer> fitting = new ArrayList<>();
        for (int slot = 0; slot < Slots.REGIONS; slot++) {
            ModelRegion region = model.objects().regionOf(slot);
            boolean binds = region != null && (region.access() & Access.MW_BIND.bit()) != 0;
            if (region != null && (any || (region.isAlive() && binds && qp.shares(region)))) {
                fitting.add(slot);
            }
        }
        return fitting;
    }

    /** Most often a key that may be ended. */
    private SendRequest ending(Model model, StepVerb verb, ModelQp at) {
        List<Integer> windows = windows(model, one -> one.isBound() && one.isTypeTwo() && one.isIn(at));
        int key = dice.of(windows)
                .filter(slot -> dice.chance(93))
                .map(slot -> key(model, slot))
                .orElseGet(() -> dice.chance(70) ? anyKey(model) : dice.below(Slots.REGIONS));
        return new SendRequest(verb, SendFlags.SIGNALLED, List.of(), new Place(key, 0, 0), 0, 0);
    }

    private static int key(Model model, int slot) {
        return Place.windowKey(slot, Posts.there(model.objects().windowOf(slot)).tag());
    }

    /** A key that a window had, has, or will have. */
    int anyKey(Model model) {
        Optional<Integer> stale = dice.of(windows(model, one -> one.tag() >= 0 && !one.isBound()));
        if (stale.isPresent() && dice.chance(60)) {
            return key(model, stale.get());
        }
        return dice.of(windows(model, one -> true))
                .map(slot -> {
                    ModelWindow window = Posts.there(model.objects().windowOf(slot));
                    return Place.windowKey(slot, window.posted() + 1 - dice.below(4));
                })
                .orElse(Place.NO_KEY);
    }

    /** So many bytes that a window shows to peers of a queue pair. */
    Optional<Place> shown(Model model, ModelQp to, int right, int length) {
        Predicate<ModelWindow> wanted =
                dice.chance(5) ? one -> one.tag() >= 0 && !one.isBound() && one.isIn(to) : one -> one.gives(to, right);
        return dice.of(windows(model, wanted.and(one -> one.lengthBytes() >= length)))
                .map(slot -> {
                    ModelWindow window = Posts.there(model.objects().windowOf(slot));
                    int last = window.lengthBytes() - length;
                    int offset = dice.chance(40) ? last : dice.below(last + 1);
                    return new Place(key(model, slot), window.offset() % Slots.ARENA_BYTES + offset, 0);
                });
    }

    private static List<Integer> windows(Model model, Predicate<ModelWindow> wanted) {
        List<Integer> fitting = new ArrayList<>();
        for (int slot = 0; slot < Slots.WINDOWS; slot++) {
            ModelWindow window = model.objects().windowOf(slot);
            if (window != null && wanted.test(window)) {
                fitting.add(slot);
            }
        }
        return fitting;
    }
}
