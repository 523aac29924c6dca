package io.hyperverbs.launcher.topology;

import java.util.List;
import java.util.Optional;

/** What the launcher does not know of programs that topologies name; who reads a topology says it. */
public interface KnownPrograms {
    /** Names of the attacks that a check may ask for. */
    List<String> attacks();

    /**
     * The guest that a program of the lab calls, if it calls one.
     *
     * @throws IllegalArgumentException for arguments that the program would not take
     */
    Optional<String> peer(Guest.App app);
}
