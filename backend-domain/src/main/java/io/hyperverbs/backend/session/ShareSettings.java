package io.hyperverbs.backend.session;

import io.hyperverbs.hca.HcaCommands.ShareInit;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.Map;

/** What a domain's settings say of its share of the engine. */
public final class ShareSettings {
    private static final String WEIGHT = "weight";
    private static final String BYTES = "rate.bytes";
    private static final String MESSAGES = "rate.messages";

    private ShareSettings() {}

    /**
     * Weight and rate of a domain: 1, and no limit, where nothing is said.
     *
     * @throws Refusal EINVAL for a number that is none, or not positive
     */
    public static ShareInit of(Map<String, String> settings) throws Refusal {
        long weight = number(settings, WEIGHT, 1);
        if (weight > Integer.MAX_VALUE) {
            throw refusal(WEIGHT, Long.toString(weight));
        }
        return new ShareInit((int) weight, number(settings, BYTES, 0), number(settings, MESSAGES, 0));
    }

    private static long number(Map<String, String> settings, String name, long standard) throws Refusal {
        String value = settings.get(name);
        if (value == null) {
            return standard;
        }
        try {
            long number = Long.parseLong(value);
            if (number >= 1) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below, like any other value that is not allowed.
        }
        throw refusal(name, value);
    }

    private static Refusal refusal(String name, String value) {
        return new Refusal(VerbsStatus.EINVAL, name + " " + value + ", must be 1 or more");
    }
}
