package io.hyperverbs.lab.walk.choose;

import io.hyperverbs.lab.walk.model.ModelQp;
import io.hyperverbs.lab.walk.step.StepVerb;
import io.hyperverbs.verbs.QpType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which operation a connection does next: most often one that its peer can take. */
final class VerbChoice {
    private static final List<StepVerb> VERBS = List.of(
            StepVerb.SEND,
            StepVerb.SEND_IMM,
            StepVerb.WRITE,
            StepVerb.WRITE_IMM,
            StepVerb.READ,
            StepVerb.SWAP,
            StepVerb.ADD);

    /** The first of them ask for nothing to come back. */
    private static final int UNANSWERED = 4;

    private static final List<StepVerb> ONE_SIDED = List.of(StepVerb.WRITE, StepVerb.READ, StepVerb.ADD);

    private final Dice dice;

    VerbChoice(Dice dice) {
        this.dice = dice;
    }

    /**
     * @param receives that the peer has for it
     */
    StepVerb verb(ModelQp qp, @Nullable ModelQp peer, int receives) {
        boolean acknowledged = qp.type() == QpType.RC || dice.chance(3);
        StepVerb verb =
                dice.of(acknowledged ? VERBS : VERBS.subList(0, UNANSWERED)).orElseThrow();
        boolean unanswered = verb.takesReceive() && receives <= 0;
        boolean forbidden = peer != null && !peer.allows(verb.right());
        return (unanswered || forbidden) && dice.chance(85)
                ? dice.of(acknowledged ? ONE_SIDED : ONE_SIDED.subList(0, 1)).orElseThrow()
                : verb;
    }
}
