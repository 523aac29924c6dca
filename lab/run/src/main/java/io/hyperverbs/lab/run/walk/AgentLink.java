package io.hyperverbs.lab.run.walk;

import io.hyperverbs.launcher.failure.HvException;

/** The way to the agent in one domain. */
public interface AgentLink {
    /** The name of its domain. */
    String name();

    /**
     * Has a burst done.
     *
     * @return what was seen, a line each
     * @throws HvException if the domain ended or does not answer
     */
    String exchange(String burst) throws HvException;
}
