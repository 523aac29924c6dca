package io.hyperverbs.toolstack.isolate.soak;

import io.hyperverbs.lab.attacks.IsolationCase;

/** Something that goes wrong, and must harm nobody else. */
public sealed interface Fault {
    /** Its name in options and outputs. */
    String word();

    /** A hostile guest. */
    record Attack(IsolationCase made) implements Fault {
        @Override
        public String word() {
            return made.name();
        }
    }

    /** A guest that is killed with its queues full. */
    record Kill() implements Fault {
        @Override
        public String word() {
            return "guest.killed";
        }
    }

    /** A guest that is stopped with its queues full, and killed a second later. */
    record Freeze() implements Fault {
        @Override
        public String word() {
            return "guest.frozen";
        }
    }
}
