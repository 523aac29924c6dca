package io.hyperverbs.lab.bench;

/**
 * What a side writes under {@code pingpong/<peer>} to say that it is there.
 *
 * @param session drawn for this call alone, so that what an earlier program left is not taken for
 *     an answer to it
 */
record Call(String session, Terms terms) {
    String format() {
        return session + " " + terms.format();
    }

    /**
     * Reads back what {@link #format} wrote.
     *
     * @throws IllegalArgumentException for anything else
     */
    static Call parse(String line) {
        int space = line.indexOf(' ');
        if (space <= 0 || !line.substring(0, space).matches("[0-9a-f]{1,16}")) {
            throw new IllegalArgumentException("not the call of a pingpong: " + line);
        }
        return new Call(line.substring(0, space), Terms.parse(line.substring(space + 1)));
    }
}
