package io.hyperverbs.lab.run.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** In which order a round measures what is compared. */
public final class RoundOrder {
    private RoundOrder() {}

    /** In a round each is first in its turn, so that none always has what another has left behind. */
    public static <T> List<T> of(List<T> compared, int round) {
        List<T> order = new ArrayList<>(compared);
        Collections.rotate(order, -round);
        return order;
    }
}
