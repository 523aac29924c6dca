package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.Locale;
import java.util.Set;

/** The keys that attempts name: of a region, or of a window in the middle of one. */
sealed interface AccessTarget {
    /** Before attempts through a queue pair that was reset. */
    void revive();

    int lkey();

    int rkey();

    /** Rights in the name of a case, each behind a dash. */
    static String label(Set<Access> rights) {
        StringBuilder label = new StringBuilder();
        for (Access right : rights) {
            label.append('-').append(right.name().toLowerCase(Locale.ROOT).replace('_', '-'));
        }
        return label.isEmpty() ? "-no-right" : label.toString();
    }

    /** A region over the standard part of the side's buffer. */
    static AccessTarget region(Rig rig, Side side, ProtectionDomain pd, Set<Access> rights) throws VerbsException {
        return new OfRegion(rig.closing(pd.register(side.buffer().asSlice(Windows.OFFSET, Windows.BYTES), rights)));
    }

    /** A window over that part, in the side's region over all of its buffer. */
    static AccessTarget window(Rig rig, Side side, MemoryWindow.Type type, Set<Access> rights) throws VerbsException {
        OfWindow target = new OfWindow(side, Windows.allocate(rig, side, type), rights);
        target.bind();
        return target;
    }

    /** A registered region; a reset does nothing to it. */
    record OfRegion(MemoryRegion region) implements AccessTarget {
        @Override
        public void revive() {}

        @Override
        public int lkey() {
            return region.lkey();
        }

        @Override
        public int rkey() {
            return region.rkey();
        }
    }

    /** A window; of type 2 it is free after a reset of its queue pair. */
    record OfWindow(Side side, MemoryWindow window, Set<Access> rights) implements AccessTarget {
        void bind() {
            Windows.bind(side, window, Windows.binding(side, rights), VerbsStatus.SUCCESS);
        }

        @Override
        public void revive() {
            if (window.type() == MemoryWindow.Type.TWO) {
                bind();
            }
        }

        @Override
        public int lkey() {
            return 0;
        }

        @Override
        public int rkey() {
            return window.rkey();
        }
    }
}
