package io.hyperverbs.verbs;

/**
 * A port of the HCA ({@code ibv_port_attr}); MTUs in bytes.
 *
 * @param gidPrefix of entry 0 of its GID table
 * @param gidInterface of entry 0 of its GID table
 * @param pkey entry 0 of its P_Key table
 * @param gidTableLength entries for {@link Context#queryGid}
 * @param pkeyTableLength entries for {@link Context#queryPkey}
 * @param badPkeys packets dropped for their P_Key ({@code bad_pkey_cntr})
 * @param qkeyViolations packets dropped for their Q_Key ({@code qkey_viol_cntr})
 */
public record PortAttributes(
        PortState state,
        int maxMtuBytes,
        int activeMtuBytes,
        int lid,
        long gidPrefix,
        long gidInterface,
        int pkey,
        int gidTableLength,
        int pkeyTableLength,
        long maxMessageBytes,
        int badPkeys,
        int qkeyViolations,
        PortLink link) {

    /** Whether messages pass. */
    public boolean active() {
        return state == PortState.ACTIVE;
    }
}
