/**
 * The hands of a walk in a domain: {@link io.hyperverbs.lab.walk.agent.WalkAgent} takes
 * bursts of steps out of the store, does them through the public API, waits for what it is told to
 * wait for, and writes back all it has seen. It judges nothing. One thread.
 */
@NullMarked
package io.hyperverbs.lab.walk.agent;

import org.jspecify.annotations.NullMarked;
