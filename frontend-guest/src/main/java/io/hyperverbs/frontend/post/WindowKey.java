package io.hyperverbs.frontend.post;

import io.hyperverbs.verbs.MemoryWindow;

/** What posters see of this driver's windows: the key changes with each bind. Any thread. */
public interface WindowKey extends MemoryWindow {
    /** A bind to that key was put into a ring. */
    void rkey(int posted);
}
