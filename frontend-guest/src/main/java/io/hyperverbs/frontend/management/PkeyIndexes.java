package io.hyperverbs.frontend.management;

import io.hyperverbs.frontend.path.PrivilegedVerbs;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import java.util.HashMap;
import java.util.Map;

/**
 * Where P_Keys are in the table of a context, which never changes: the HCA is asked for each once. Any thread.
 */
public final class PkeyIndexes {
    private static final int PORT = 1;

    private final PrivilegedVerbs verbs;
    private final long context;
    private final Map<Integer, Integer> known = new HashMap<>();
    private int asked;

    /** Of the context with that handle. */
    public PkeyIndexes(PrivilegedVerbs verbs, long context) {
        this.verbs = verbs;
        this.context = context;
    }

    /**
     * Index of a P_Key ({@code ibv_get_pkey_index}).
     *
     * @throws VerbsException EINVAL if the table does not have it
     */
    synchronized int of(int pkey) throws VerbsException {
        while (!known.containsKey(pkey)) {
            ControlRequest.QueryPkey query = new ControlRequest.QueryPkey(context, PORT, asked);
            known.putIfAbsent(verbs.call(query, ControlReply.PkeyQueried.class).pkey(), asked);
            asked++;
        }
        return known.get(pkey);
    }
}
