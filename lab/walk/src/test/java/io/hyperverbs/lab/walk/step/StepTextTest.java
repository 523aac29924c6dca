package io.hyperverbs.lab.walk.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.SendFlags;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StepTextTest {
    private static final Place PLACE = new Place(3, -1, 17);
    private static final Place WINDOW = new Place(Place.windowKey(2, -1), -1, 17);

    @Test
    void readsBackWhatItWrites() {
        List<Step> steps = List.of(
                new Step.OpenPd(1, 2),
                new Step.OpenCq(0, 1, -5),
                new Step.OpenRegion(7, 1, 64, 4032, 15),
                new Step.OpenAh(4, 1, -1, 16),
                new Step.OpenWindow(3, 1, 2),
                new Step.Bind(
                        5,
                        new SendRequest(
                                StepVerb.BIND, SendFlags.SIGNALLED, List.of(), PLACE, 3, SendRequest.binding(14, 255))),
                new Step.OpenSrq(2, 1, -1, 4),
                new Step.OpenQp(5, QpType.UC, 1, Slots.NONE, 0, 2, 8, 0, 3, 64, true),
                new Step.Close(SlotKind.REGION, 7),
                new Step.Modify(5, Map.of(QpAttribute.STATE, 3L, QpAttribute.DEST_QPN, Long.MIN_VALUE)),
                new Step.PostSend(
                        5, List.of(request(StepVerb.SEND, List.of()), request(StepVerb.SWAP, List.of(PLACE, WINDOW)))),
                new Step.PostReceive(5, List.of(List.of(PLACE), List.of())),
                new Step.PostShared(2, List.of(List.of(PLACE, PLACE), List.of())),
                new Step.ArmLimit(2, -3),
                new Step.Resize(2, 17),
                new Step.QuerySrq(2),
                new Step.Query(5),
                new Step.Fill(1, 10, 20, Long.MAX_VALUE));

        for (Step step : steps) {
            assertThat(StepText.parse(StepText.format(step))).isEqualTo(step);
        }
    }

    @Test
    void keepsApartWindowsAndTags() {
        assertThat(WINDOW.windowSlot()).isEqualTo(2);
        assertThat(WINDOW.tag()).isEqualTo(255);
        assertThat(WINDOW.isWindow()).isTrue();
        assertThat(PLACE.isWindow()).isFalse();
    }

    @Test
    void skipsCommentsAndEmptyLines() {
        assertThat(StepText.parseAll("# a walk\n\nquery slot=1\n")).containsExactly(new Step.Query(1));
    }

    @Test
    void namesTheLineThatIsNoStep() {
        assertThatThrownBy(() -> StepText.parse("jump slot=1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("jump");
        assertThatThrownBy(() -> StepText.parse("query"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("slot=");
    }

    private static SendRequest request(StepVerb verb, List<Place> pieces) {
        return new SendRequest(verb, SendFlags.SIGNALLED | SendFlags.FENCE, pieces, PLACE, -7, Long.MIN_VALUE);
    }
}
