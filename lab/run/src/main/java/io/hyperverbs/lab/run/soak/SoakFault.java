package io.hyperverbs.lab.run.soak;

import io.hyperverbs.lab.attacks.IsolationCase;

/** Something that goes wrong, and must harm nobody else. */
public sealed interface SoakFault {
    /** Its name in options and outputs. */
    String word();

    /** A hostile guest. */
    record Attack(IsolationCase made) implements SoakFault {
        @Override
        public String word() {
            return made.name();
        }
    }

    /** A guest that is killed with its queues full. */
    record Kill() implements SoakFault {
        @Override
        public String word() {
            return "guest.killed";
        }
    }

    /** A guest that is stopped with its queues full, and killed a second later. */
    record Freeze() implements SoakFault {
        @Override
        public String word() {
            return "guest.frozen";
        }
    }
}
