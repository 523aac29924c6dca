package io.hyperverbs.lab.run.walk;

import io.hyperverbs.lab.walk.choose.StepSource;
import io.hyperverbs.lab.walk.model.HcaFacts;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/** Where a walk takes place: agents, one for each domain, and the HCAs that they have, all alike. */
public interface WalkTarget {
    /** In order of the numbers of the domains. */
    List<? extends AgentLink> links();

    /** What the HCA of the first domain says of itself. */
    HcaFacts hca();

    /** LID of the HCA of each domain; one for all where there is one HCA. */
    default List<Integer> lids() {
        return Collections.nCopies(links().size(), hca().lid());
    }

    /** Those of a source's steps whose outcome is certain here; all of them inside an HCA. */
    default StepSource certain(StepSource all) {
        return all;
    }

    /** How long to wait for what must come. */
    Duration unhurried();

    /** The same when a sequence is made short and what does not come is waited for many times. */
    Duration hurried();
}
