package io.hyperverbs.frontend.post;

/** Why a post was refused. Kept as a constant: the words are made when somebody asks. */
enum PostMistake {
    NONE(""),
    CLOSED("the queue pair is closed"),
    STATE("the state takes no such post"),
    FULL("the queue is full: poll completions of earlier requests first"),
    SEGMENTS("more SGEs than the queue pair was created for"),
    LENGTH("an SGE of negative length"),
    INLINE("more inline bytes than the queue pair was created for, or beside SGEs"),
    FORM("a part without its request, or one that this transport has not"),
    SHARED("receives come from a shared receive queue"),
    REFUSED("refused by the data path");

    private final String words;

    PostMistake(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }
}
