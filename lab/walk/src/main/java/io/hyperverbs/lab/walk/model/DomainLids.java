package io.hyperverbs.lab.walk.model;

import io.hyperverbs.lab.walk.step.Slots;
import java.util.List;

/**
 * Which LID leads to the HCA of each domain. Immutable.
 *
 * @param lids by number of the domain
 */
record DomainLids(List<Integer> lids) {
    DomainLids {
        lids = List.copyOf(lids);
    }

    int domains() {
        return lids.size();
    }

    /** That of the HCA an object is on. */
    int of(ModelObject object) {
        return lids.get(Slots.domainOf(object.context(), lids.size()));
    }

    /** One of them, by any number from 0 on. */
    int any(int number) {
        return lids.get(number % lids.size());
    }
}
