package io.hyperverbs.lab.walk.choose;

import io.hyperverbs.lab.walk.model.Model;
import io.hyperverbs.lab.walk.model.ModelSrq;
import io.hyperverbs.lab.walk.step.SlotKind;
import io.hyperverbs.lab.walk.step.Step;
import java.util.List;
import java.util.Optional;

/** What is done to shared receive queues besides making and closing them. */
final class SrqSteps {
    private static final int LARGEST = 24;

    private final Dice dice;
    private final Posts posts;
    private final ObjectSteps openings;

    SrqSteps(Dice dice, Posts posts, ObjectSteps openings) {
        this.dice = dice;
        this.posts = posts;
        this.openings = openings;
    }

    /** Something with a queue of the domain; empty if it has none. */
    Optional<Step> any(Model model, int domain) {
        List<Integer> own = ObjectSteps.own(model, SlotKind.SRQ, domain);
        return dice.of(own).map(slot -> of(model, slot));
    }

    private Step of(Model model, int slot) {
        ModelSrq srq = Posts.there(model.objects().srq(slot));
        return switch (dice.below(8)) {
            case 0, 1, 2 -> new Step.ArmLimit(slot, limit(srq));
            case 3, 4 -> new Step.Resize(slot, size(srq));
            case 5 -> new Step.QuerySrq(slot);
            default -> posts.shared(model, slot);
        };
    }

    /** Most often one that is passed soon. */
    private int limit(ModelSrq srq) {
        int roll = dice.below(10);
        if (roll == 0) {
            return dice.chance(50) ? srq.room() + 1 : -1;
        }
        return roll < 3 ? dice.between(0, srq.room()) : Math.min(srq.room(), dice.between(0, srq.receivesPosted() + 1));
    }

    private int size(ModelSrq srq) {
        int roll = dice.below(10);
        if (roll == 0) {
            return openings.badSize();
        }
        int posted = Math.max(1, srq.receivesPosted());
        return roll < 4 ? Integer.highestOneBit(posted) : dice.between(1, LARGEST);
    }
}
