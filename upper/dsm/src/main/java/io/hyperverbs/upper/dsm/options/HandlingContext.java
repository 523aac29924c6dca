package io.hyperverbs.upper.dsm.options;

/**
 * Where messages of other nodes are handled (Liss 2003 §3.2, table 1). The paper's interrupt is a posted completion event
 * here, its task queue the same thread after all completions are taken, its process another thread that is woken.
 */
public enum HandlingContext {
    /** A thread polls the completion queue, with pauses that grow while nothing comes. */
    POLLING,
    /** A thread sleeps on completion events, and handles each message as it takes its completion. */
    EVENT,
    /** As EVENT, but all completions are taken first and handled afterwards. */
    TASK_QUEUE,
    /** The thread that takes the event wakes another one, which polls and handles. */
    PROCESS
}
