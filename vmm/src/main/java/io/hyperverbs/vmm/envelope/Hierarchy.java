package io.hyperverbs.vmm.envelope;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

/**
 * A tree of groups in which this process may make some.
 *
 * @param version 1 or 2 of the kernel's interface
 * @param parent the group in which a machine's group is made: what limits it limits the machine
 * @param home the group that this process is in
 * @param controllers those of this tree that can be had below {@code parent}
 */
record Hierarchy(int version, Path parent, Path home, Set<Controller> controllers) {
    Hierarchy {
        controllers = Set.copyOf(controllers);
    }

    boolean has(Controller controller) {
        return controllers.contains(controller);
    }

    /** The same tree for fewer of its controllers. */
    Hierarchy with(Set<Controller> fewer) {
        Set<Controller> both = EnumSet.noneOf(Controller.class);
        both.addAll(fewer);
        both.retainAll(controllers);
        return new Hierarchy(version, parent, home, both);
    }
}
