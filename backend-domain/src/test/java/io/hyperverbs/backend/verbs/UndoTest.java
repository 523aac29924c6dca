package io.hyperverbs.backend.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.session.Leftovers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UndoTest {
    private final List<String> done = new ArrayList<>();
    private final Undo undo = new Undo(new Leftovers());

    @Test
    void takesBackTheLastStepFirst() {
        assertThat(undo.isPossible()).isFalse();
        undo.push(() -> done.add("first"));
        undo.push(() -> done.add("second"));
        assertThat(undo.isPossible()).isTrue();

        undo.run();

        assertThat(done).containsExactly("second", "first");
        assertThat(undo.isPossible()).isFalse();
    }

    @Test
    void takesNothingBackOnceItIsSettled() {
        undo.push(() -> done.add("first"));
        undo.settle();

        assertThat(undo.isPossible()).isFalse();
        undo.run();
        assertThat(done).isEmpty();
    }
}
