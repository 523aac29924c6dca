package io.hyperverbs.backend.session;

import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The data paths on which a domain may open contexts, as its topology decides: the first one of its
 * setting {@value #SETTING} is that of contexts that name none. A forwarded path costs the device
 * domain memory and threads, so a domain of path bypass has no way to it. Immutable.
 */
public final class DataPaths {
    public static final String SETTING = "path";

    private static final String STANDARD = "bypass";

    private final String setting;
    private final Set<DataPathKind> allowed;

    private DataPaths(String setting, Set<DataPathKind> allowed) {
        this.setting = setting;
        this.allowed = Collections.unmodifiableSet(allowed);
    }

    /**
     * What a domain's settings allow: {@code bypass}, {@code forwarded}, {@code forwarded-unary},
     * or several with commas; bypass if they say nothing.
     *
     * @throws Refusal EINVAL for anything else
     */
    public static DataPaths of(Map<String, String> settings) throws Refusal {
        String setting = settings.getOrDefault(SETTING, STANDARD);
        Set<DataPathKind> allowed = EnumSet.noneOf(DataPathKind.class);
        for (String word : setting.split(",", -1)) {
            allowed.add(kind(word));
        }
        return new DataPaths(setting, allowed);
    }

    /**
     * Whether a context may be opened on {@code path}. No effect.
     *
     * @throws Refusal EPERM, with the setting
     */
    public void check(DataPathKind path) throws Refusal {
        if (!allowed.contains(path)) {
            throw new Refusal(
                    VerbsStatus.EPERM, "data path " + word(path) + ": the topology gives this domain path: " + setting);
        }
    }

    /** Whether the device domain may have to run the data path of some of its contexts. */
    public boolean isForwarding() {
        return allowed.contains(DataPathKind.FORWARDED) || allowed.contains(DataPathKind.FORWARDED_UNARY);
    }

    private static DataPathKind kind(String word) throws Refusal {
        for (DataPathKind kind : DataPathKind.values()) {
            if (word(kind).equals(word)) {
                return kind;
            }
        }
        throw new Refusal(VerbsStatus.EINVAL, SETTING + " " + word + ", must be bypass, forwarded or forwarded-unary");
    }

    private static String word(DataPathKind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
