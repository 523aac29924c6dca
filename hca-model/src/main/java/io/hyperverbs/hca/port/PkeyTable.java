package io.hyperverbs.hca.port;

import io.hyperverbs.verbs.Pkey;
import java.util.Arrays;
import java.util.List;

/**
 * P_Keys by index, the same at each port: those of an HCA, or those of them that the HCA lets a domain's queue pairs
 * have, as the virtual function of an HCA has a table of its own. Immutable; any thread.
 *
 * @param pkeys 1 to {@link PortSettings#MAX_PKEYS} of them
 */
public record PkeyTable(List<Integer> pkeys) {
    /** IllegalArgumentException if there is none, if there are too many, or if one is none. */
    public PkeyTable {
        pkeys = List.copyOf(pkeys);
        if (pkeys.isEmpty() || pkeys.size() > PortSettings.MAX_PKEYS) {
            throw new IllegalArgumentException(pkeys.size() + " P_Keys, must be 1 to " + PortSettings.MAX_PKEYS);
        }
        for (int pkey : pkeys) {
            if (pkey < 0 || pkey > 0xffff || (pkey & 0x7fff) == 0) {
                throw new IllegalArgumentException("P_Key 0x" + Integer.toHexString(pkey) + " is not valid");
            }
        }
    }

    /**
     * The numbers of {@code text} with commas between them, as settings have them.
     *
     * @throws IllegalArgumentException if one is no P_Key
     */
    public static PkeyTable parse(String text) {
        return new PkeyTable(
                Arrays.stream(text.split(",", -1)).map(Integer::decode).toList());
    }

    /** Entries, which have the indexes from 0. */
    public int count() {
        return pkeys.size();
    }

    /** An entry, 0 if it is not there. */
    public int pkey(int index) {
        return index >= 0 && index < pkeys.size() ? pkeys.get(index) : 0;
    }

    /** The first entry with which a queue pair reaches those that have {@code pkey}, 0 if there is none. */
    public int reaching(int pkey) {
        return pkeys.stream().filter(own -> Pkey.match(own, pkey)).findFirst().orElse(0);
    }

    /** The first entry with which a queue pair reaches one with an entry of {@code other}, 0 if there is none. */
    public int reaching(PkeyTable other) {
        return pkeys.stream()
                .filter(own -> other.reaching(own) != 0)
                .findFirst()
                .orElse(0);
    }
}
