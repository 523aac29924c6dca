package io.hyperverbs.lab.ledger;

/** What of a Java source its compiler reads. Any thread. */
final class JavaCode {
    private static final String TEXT_BLOCK = "\"\"\"";

    private JavaCode() {}

    /** The source without comments, each run of blanks outside literals as one. */
    static String of(String source) {
        StringBuilder code = new StringBuilder(source.length());
        int at = 0;
        while (at < source.length()) {
            int end = endOfComment(source, at);
            if (end > at || Character.isWhitespace(source.charAt(at))) {
                appendBlank(code);
                at = Math.max(end, at + 1);
            } else {
                end = endOfToken(source, at);
                code.append(source, at, end);
                at = end;
            }
        }
        return code.toString();
    }

    private static void appendBlank(StringBuilder code) {
        if (!code.isEmpty() && code.charAt(code.length() - 1) != ' ') {
            code.append(' ');
        }
    }

    /** {@code at} if no comment begins there. */
    private static int endOfComment(String source, int at) {
        if (source.startsWith("//", at)) {
            int end = source.indexOf('\n', at);
            return end < 0 ? source.length() : end;
        }
        if (source.startsWith("/*", at)) {
            int end = source.indexOf("*/", at + 2);
            return end < 0 ? source.length() : end + 2;
        }
        return at;
    }

    /** Of a literal with quotes, else of the one character. */
    private static int endOfToken(String source, int at) {
        if (source.startsWith(TEXT_BLOCK, at)) {
            return endOfLiteral(source, at, TEXT_BLOCK);
        }
        char first = source.charAt(at);
        return first == '"' || first == '\'' ? endOfLiteral(source, at, String.valueOf(first)) : at + 1;
    }

    private static int endOfLiteral(String source, int begin, String quote) {
        int at = begin + quote.length();
        while (at < source.length() && !source.startsWith(quote, at)) {
            at += source.charAt(at) == '\\' ? 2 : 1;
        }
        return Math.min(at + quote.length(), source.length());
    }
}
