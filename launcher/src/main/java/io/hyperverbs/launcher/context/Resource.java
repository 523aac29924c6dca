package io.hyperverbs.launcher.context;

import io.hyperverbs.launcher.output.Listing;
import io.hyperverbs.vmm.domain.MachineException;

/** A kind of object that {@code rdma resource show} lists. */
public interface Resource {
    /** Its name on the command line. */
    String word();

    /** All objects of the kind, one row each. */
    Listing list(Inventory inventory) throws MachineException;
}
