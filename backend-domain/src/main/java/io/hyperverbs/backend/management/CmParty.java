package io.hyperverbs.backend.management;

import io.hyperverbs.backend.sa.RemoteGuest;
import io.hyperverbs.verbs.Gid;

/** Where a connection leads. Under the lock of {@link Management}. */
sealed interface CmParty permits CmSession, CmParty.Remote {
    /** Name of the guest; of an HCA that is none of the topology, its address. */
    String name();

    Gid gid();

    /**
     * What tells callers apart by their shares and queue pair numbers: the session, or the address of another HCA, whose
     * guests are not told apart by anything that could be trusted.
     */
    Object origin();

    /** A guest of another HCA. */
    record Remote(RemoteGuest guest) implements CmParty {
        @Override
        public String name() {
            return guest.name();
        }

        @Override
        public Gid gid() {
            return guest.gid();
        }

        @Override
        public Object origin() {
            return guest.address();
        }
    }
}
