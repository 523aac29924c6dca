package io.hyperverbs.vmm.text;

/**
 * Shows characters that command a terminal instead of letting them command it. Hidden characters
 * become {@code \x1b} (below U+0080) or <code>&#92;u009b</code> (above); these are: C0 and DEL
 * (ECMA-48 escape sequences begin there), C1 (which 8-bit terminals take for such sequences), the
 * controls of bidirectional text (Unicode UAX #9: they reorder what stands beside them), line and
 * paragraph separators, and unpaired surrogates. The notation is for people: a backslash that was
 * in the text stays as it is, so it cannot be read back. Stateless.
 */
public final class VisibleText {
    private VisibleText() {}

    /** Text of several lines: newline and tab stay. */
    public static String of(String text) {
        return shown(text, true);
    }

    /** Text that must stay on one line and in one cell: newline and tab are shown too. */
    public static String line(String text) {
        return shown(text, false);
    }

    /** Whether that code point has to be shown by name; newline and tab are among them. */
    public static boolean isHidden(int codePoint) {
        return codePoint < 0x20
                || (codePoint >= 0x7f && codePoint < 0xa0)
                // Arabic letter mark, left-to-right and right-to-left mark.
                || codePoint == 0x061c
                || codePoint == 0x200e
                || codePoint == 0x200f
                // Separators, embeddings and overrides; isolates.
                || (codePoint >= 0x2028 && codePoint <= 0x202e)
                || (codePoint >= 0x2066 && codePoint <= 0x2069)
                || (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE);
    }

    private static String shown(String text, boolean lines) {
        if (text.codePoints().noneMatch(VisibleText::isHidden)) {
            return text;
        }
        StringBuilder shown = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(codePoint -> append(shown, codePoint, lines));
        return shown.toString();
    }

    /** Appends one code point; {@code lines}: newline and tab as they are. */
    static void append(StringBuilder shown, int codePoint, boolean lines) {
        boolean spacing = codePoint == '\n' || codePoint == '\t';
        if (!isHidden(codePoint) || (spacing && lines)) {
            shown.appendCodePoint(codePoint);
            return;
        }
        switch (codePoint) {
            case '\n' -> shown.append("\\n");
            case '\t' -> shown.append("\\t");
            case '\r' -> shown.append("\\r");
            default -> {
                if (codePoint < 0x80) {
                    appendByte(shown, codePoint);
                } else {
                    shown.append("\\u");
                    appendHex(shown, codePoint, 4);
                }
            }
        }
    }

    /** Appends a byte that is no part of a character. */
    static void appendByte(StringBuilder shown, int octet) {
        shown.append("\\x");
        appendHex(shown, octet & 0xff, 2);
    }

    private static void appendHex(StringBuilder shown, int value, int digits) {
        for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
            shown.append(Character.forDigit((value >> shift) & 0xf, 16));
        }
    }
}
