package io.hyperverbs.backend.sa;

import io.hyperverbs.verbs.Gid;
import org.jspecify.annotations.Nullable;

/** The guests of this HCA, for those who ask from others. */
public interface OwnGuests {
    /** GID of the guest of that name; null if there is none. */
    @Nullable
    Gid gidOf(String name);

    /** Name of the guest with that GID; null if there is none. */
    @Nullable
    String nameOf(Gid gid);
}
