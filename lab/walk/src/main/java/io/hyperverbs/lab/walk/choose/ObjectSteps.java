package io.hyperverbs.lab.walk.choose;

import io.hyperverbs.lab.walk.model.Model;
import io.hyperverbs.lab.walk.step.SlotKind;
import io.hyperverbs.lab.walk.step.Slots;
import io.hyperverbs.lab.walk.step.Step;
import io.hyperverbs.verbs.QpType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Making objects, and closing them: within the quota and beyond it, with sizes good and bad. */
final class ObjectSteps {
    private static final int ALL_RIGHTS = 15;
    private static final int WITH_WINDOWS = 31;
    private static final int[] BAD_SIZES = {0, -1, 1 << 20, Integer.MIN_VALUE, Integer.MAX_VALUE};

    /** As often as they are closed. */
    private static final List<SlotKind> CLOSED = List.of(
            SlotKind.REGION,
            SlotKind.REGION,
            SlotKind.REGION,
            SlotKind.REGION,
            SlotKind.QP,
            SlotKind.QP,
            SlotKind.WINDOW,
            SlotKind.AH,
            SlotKind.SRQ,
            SlotKind.CQ,
            SlotKind.PD);

    private final Dice dice;

    ObjectSteps(Dice dice) {
        this.dice = dice;
    }

    /** What a domain needs before anything can come of its steps. */
    Optional<Step> missing(Model model, int domain) {
        List<Integer> pds = own(model, SlotKind.PD, domain);
        List<Integer> cqs = own(model, SlotKind.CQ, domain);
        if (pds.isEmpty()) {
            return empty(model, SlotKind.PD).map(slot -> openPd(model, domain, slot));
        }
        if (cqs.stream().noneMatch(model.objects()::isLarge)) {
            int context = model.objects().contextOf(SlotKind.PD, pds.getFirst());
            return empty(model, SlotKind.CQ).map(slot -> new Step.OpenCq(slot, context, Slots.CQ_ENTRIES));
        }
        if (own(model, SlotKind.REGION, domain).size() < 2) {
            return empty(model, SlotKind.REGION).map(slot -> openRegion(slot, dice.of(pds)));
        }
        int wanted = Math.max(1, Slots.QPS / 2 / model.domains());
        if (own(model, SlotKind.QP, domain).size() < wanted) {
            return empty(model, SlotKind.QP).map(slot -> openQp(model, slot, pds, cqs, dice.chance(95)));
        }
        if (own(model, SlotKind.SRQ, domain).isEmpty() && dice.chance(20)) {
            return empty(model, SlotKind.SRQ).map(slot -> openSrq(slot, dice.of(pds), true));
        }
        if (own(model, SlotKind.AH, domain).isEmpty() && dice.chance(40)) {
            return empty(model, SlotKind.AH).map(slot -> openAh(slot, dice.of(pds)));
        }
        if (own(model, SlotKind.WINDOW, domain).size() < 2 && dice.chance(20)) {
            return empty(model, SlotKind.WINDOW).map(slot -> openWindow(slot, dice.of(pds)));
        }
        return Optional.empty();
    }

    private Step openAh(int slot, Optional<Integer> pd) {
        int lid = dice.chance(80) ? 0 : dice.chance(50) ? 77 : dice.below(1 << 17) - 100;
        return new Step.OpenAh(slot, pd.orElse(0), lid, dice.chance(95) ? dice.below(16) : dice.between(-1, 16));
    }

    private Step openWindow(int slot, Optional<Integer> pd) {
        return new Step.OpenWindow(slot, pd.orElse(0), dice.chance(35) ? 1 : 2);
    }

    /** Something more, in any slot; perhaps too much, perhaps nonsense. */
    Step any(Model model, int domain) {
        List<Integer> pds = own(model, SlotKind.PD, domain);
        List<Integer> cqs = own(model, SlotKind.CQ, domain);
        return switch (dice.below(7)) {
            case 0 -> openPd(model, domain, slot(model, SlotKind.PD));
            case 1 -> {
                int entries = switch (dice.below(4)) {
                    case 0 -> badSize();
                    case 1 -> dice.between(1, 64);
                    default -> Slots.CQ_ENTRIES;
                };
                yield new Step.OpenCq(slot(model, SlotKind.CQ), context(model, domain), entries);
            }
            case 2 -> openRegion(slot(model, SlotKind.REGION), dice.of(pds));
            case 3 -> openSrq(slot(model, SlotKind.SRQ), dice.of(pds), dice.chance(50));
            case 5 -> openAh(slot(model, SlotKind.AH), dice.of(pds));
            case 4 -> openWindow(slot(model, SlotKind.WINDOW), dice.of(pds));
            default -> openQp(model, slot(model, SlotKind.QP), pds, cqs, dice.chance(50));
        };
    }

    /** Closes something, if it is not used. */
    Step closing(Model model, int domain) {
        SlotKind kind = dice.of(CLOSED).orElseThrow();
        return new Step.Close(kind, dice.of(own(model, kind, domain)).orElse(0));
    }

    private Step openPd(Model model, int domain, int slot) {
        return new Step.OpenPd(slot, context(model, domain));
    }

    private Step openRegion(int slot, Optional<Integer> pd) {
        int length = dice.chance(90) ? dice.between(256, 2048) : dice.between(1, 64);
        int offset = dice.below(Slots.ARENA_BYTES - length + 1);
        if (dice.chance(70)) {
            offset &= ~7;
        }
        int access = dice.chance(50) ? WITH_WINDOWS : dice.chance(80) ? ALL_RIGHTS : dice.below(32);
        return new Step.OpenRegion(slot, pd.orElse(0), offset, length, access);
    }

    private Step openSrq(int slot, Optional<Integer> pd, boolean good) {
        int[] sizes = {dice.between(1, 16), dice.between(1, 4)};
        if (!good && dice.chance(60)) {
            sizes[dice.below(sizes.length)] = badSize();
        }
        return new Step.OpenSrq(slot, pd.orElse(0), sizes[0], sizes[1]);
    }

    /** A size that no queue has. */
    int badSize() {
        return BAD_SIZES[dice.below(BAD_SIZES.length)];
    }

    private Step openQp(Model model, int slot, List<Integer> pds, List<Integer> cqs, boolean good) {
        List<Integer> large = cqs.stream().filter(model.objects()::isLarge).toList();
        int sendCq = dice.of(large).orElse(0);
        int context = model.objects().contextOf(SlotKind.CQ, sendCq);
        List<Integer> siblings = pds.stream()
                .filter(pd -> !good || model.objects().contextOf(SlotKind.PD, pd) == context)
                .toList();
        List<Integer> others = large.stream()
                .filter(cq -> !good || model.objects().contextOf(SlotKind.CQ, cq) == context)
                .toList();
        int[] sizes = {dice.between(1, 12), dice.between(0, 12), dice.between(1, 4), dice.between(0, 128)};
        if (!good && dice.chance(60)) {
            sizes[dice.below(sizes.length)] = badSize();
        }
        List<Integer> shared = own(model, SlotKind.SRQ, Slots.domainOf(Math.max(0, context), model.domains())).stream()
                .filter(srq -> !good || model.objects().contextOf(SlotKind.SRQ, srq) == context)
                .toList();
        QpType type = dice.chance(20) ? QpType.UC : dice.chance(30) ? QpType.UD : QpType.RC;
        return new Step.OpenQp(
                slot,
                type,
                dice.of(siblings).orElse(0),
                type == QpType.RC && dice.chance(40) ? dice.of(shared).orElse(Slots.NONE) : Slots.NONE,
                sendCq,
                dice.of(others).orElse(sendCq),
                sizes[0],
                sizes[1],
                sizes[2],
                sizes[3],
                dice.chance(30));
    }

    private int context(Model model, int domain) {
        int ofDomain = (Slots.CONTEXTS - domain - 1) / model.domains() + 1;
        // Most objects in one context, so that they fit together.
        int which = dice.chance(75) ? 0 : dice.below(ofDomain);
        return domain + which * model.domains();
    }

    private int slot(Model model, SlotKind kind) {
        return empty(model, kind).orElse(0);
    }

    private Optional<Integer> empty(Model model, SlotKind kind) {
        List<Integer> free = new ArrayList<>();
        for (int slot = 0; slot < Slots.count(kind); slot++) {
            if (model.objects().contextOf(kind, slot) < 0) {
                free.add(slot);
            }
        }
        return dice.of(free);
    }

    static List<Integer> own(Model model, SlotKind kind, int domain) {
        List<Integer> own = new ArrayList<>();
        for (int slot = 0; slot < Slots.count(kind); slot++) {
            int context = model.objects().contextOf(kind, slot);
            if (context >= 0 && Slots.domainOf(context, model.domains()) == domain) {
                own.add(slot);
            }
        }
        return own;
    }
}
