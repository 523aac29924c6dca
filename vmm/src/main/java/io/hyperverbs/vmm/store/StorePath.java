package io.hyperverbs.vmm.store;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code domain/<name>/<key>}. A key is 1 to 128 letters, digits or {@code . _ - /}.
 *
 * @param name whose key it is
 */
public record StorePath(String name, String key) {
    private static final Pattern PATH = Pattern.compile("domain/([A-Za-z0-9_.-]{1,64})/([A-Za-z0-9_./-]{1,128})");

    /** Takes a full path apart; null if it is none. */
    public static @Nullable StorePath parse(String path) {
        Matcher matcher = PATH.matcher(path);
        return matcher.matches() ? new StorePath(matcher.group(1), matcher.group(2)) : null;
    }

    /** The path of a domain's own key; null if the key has a character it must not have. */
    public static @Nullable StorePath of(String name, String key) {
        return parse("domain/" + name + "/" + key);
    }

    @Override
    public String toString() {
        return "domain/" + name + "/" + key;
    }
}
