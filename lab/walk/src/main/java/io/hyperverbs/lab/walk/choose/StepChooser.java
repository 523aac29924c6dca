package io.hyperverbs.lab.walk.choose;

import io.hyperverbs.lab.walk.model.Model;
import io.hyperverbs.lab.walk.model.ModelQp;
import io.hyperverbs.lab.walk.step.SlotKind;
import io.hyperverbs.lab.walk.step.Slots;
import io.hyperverbs.lab.walk.step.Step;
import io.hyperverbs.verbs.QpState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Draws steps from a seed. The domains take turns of several steps each. */
public final class StepChooser implements StepSource {
    private static final int LONGEST_TURN = 40;

    private final Dice dice;
    private final Moves moves;
    private final ObjectSteps openings;
    private final Posts posts;
    private final SrqSteps shares;
    private final WindowUses windows;
    private int domain;
    private int left;

    public StepChooser(long seed) {
        this.dice = new Dice(seed);
        this.moves = new Moves(dice);
        this.openings = new ObjectSteps(dice);
        this.posts = new Posts(dice);
        this.windows = new WindowUses(dice);
        this.shares = new SrqSteps(dice, posts, openings);
    }

    @Override
    public Optional<Step> next(Model model) {
        if (left-- <= 0) {
            domain = dice.below(model.domains());
            left = dice.below(LONGEST_TURN);
        }
        Optional<Step> missing = openings.missing(model, domain);
        if (missing.isPresent() && dice.chance(80)) {
            return missing;
        }
        List<Integer> own = own(model);
        Optional<Integer> chosen = dice.of(own);
        if (chosen.isEmpty() || dice.chance(4)) {
            return Optional.of(openings.any(model, domain));
        }
        return Optional.of(of(model, own, chosen.get()));
    }

    private List<Integer> own(Model model) {
        List<Integer> own = new ArrayList<>();
        for (int slot = 0; slot < Slots.QPS; slot++) {
            int context = model.objects().contextOf(SlotKind.QP, slot);
            if (context >= 0 && Slots.domainOf(context, model.domains()) == domain) {
                own.add(slot);
            }
        }
        return own;
    }

    private Step of(Model model, List<Integer> own, int slot) {
        ModelQp qp = Posts.there(model.objects().qp(slot));
        int roll = dice.below(100);
        if (roll < 3) {
            return new Step.Query(slot);
        }
        if (roll < 7) {
            int length = dice.between(1, 512);
            return new Step.Fill(domain, dice.below(Slots.ARENA_BYTES - length), length, dice.any());
        }
        if (roll < 11) {
            return moves.odd(model, slot);
        }
        if (roll < 14) {
            return openings.closing(model, domain);
        }
        if (roll < 16) {
            Optional<Step> bound = windows.bind(model, slot);
            if (bound.isPresent() && (qp.state() == QpState.RTS || dice.chance(10))) {
                return bound.get();
            }
        } else if (roll < 20) {
            Optional<Step> shared = shares.any(model, domain);
            if (shared.isPresent()) {
                return shared.get();
            }
        }
        if (qp.state() != QpState.RTS && dice.chance(85)) {
            return moves.onwards(model, slot).orElseGet(() -> idle(model, slot));
        }
        boolean hasRoom = qp.receivesPosted() < qp.receiveRoom() || dice.chance(5);
        if (roll < 44 && hasRoom && qp.state() != QpState.ERR) {
            return posts.receive(model, slot);
        }
        Optional<Integer> talking =
                dice.of(own.stream().filter(model.objects()::isConnected).toList());
        if (dice.chance(3) || (talking.isPresent() && dice.chance(95))) {
            return posts.send(model, talking.orElse(slot));
        }
        return model.objects().isConnected(slot) ? posts.receive(model, slot) : moves.again(model, slot);
    }

    /** Something that needs no peer. */
    private Step idle(Model model, int slot) {
        ModelQp qp = Posts.there(model.objects().qp(slot));
        return qp.receivesPosted() < qp.receiveRoom() && dice.chance(50)
                ? posts.receive(model, slot)
                : openings.any(model, domain);
    }
}
