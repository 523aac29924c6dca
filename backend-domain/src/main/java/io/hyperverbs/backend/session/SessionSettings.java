package io.hyperverbs.backend.session;

import io.hyperverbs.hca.HcaCommands.ShareInit;
import io.hyperverbs.hca.port.PkeyTable;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a domain's topology gives it of its HCA. The quota counts; the rest is immutable.
 *
 * @param share of the engine
 * @param quota not promised yet ({@link QuotaPromises})
 * @param paths on which it may open contexts
 * @param pkeys those that its queue pairs may have, by index
 */
public record SessionSettings(ShareInit share, Quota quota, DataPaths paths, PkeyTable pkeys) {
    /** Setting with P_Keys of a domain, with commas between them. */
    public static final String PKEYS = "pkeys";

    /**
     * As a domain's settings say.
     *
     * @param ramBytes RAM of the domain
     * @param ofHca P_Keys of its HCA, which are the domain's where its settings say nothing of them
     * @throws Refusal EINVAL for a setting that is wrong, and for a P_Key that the HCA lacks
     */
    public static SessionSettings of(Map<String, String> settings, long ramBytes, PkeyTable ofHca) throws Refusal {
        return new SessionSettings(
                ShareSettings.of(settings),
                Quota.of(settings, ramBytes),
                DataPaths.of(settings),
                pkeys(settings.get(PKEYS), ofHca));
    }

    private static PkeyTable pkeys(@Nullable String text, PkeyTable ofHca) throws Refusal {
        if (text == null) {
            return ofHca;
        }
        try {
            PkeyTable table = PkeyTable.parse(text);
            for (int pkey : table.pkeys()) {
                if (!ofHca.pkeys().contains(pkey)) {
                    throw new IllegalArgumentException("the HCA has no P_Key 0x%04x".formatted(pkey));
                }
            }
            return table;
        } catch (IllegalArgumentException e) {
            throw new Refusal(VerbsStatus.EINVAL, PKEYS + " " + text + ": " + e.getMessage());
        }
    }
}
