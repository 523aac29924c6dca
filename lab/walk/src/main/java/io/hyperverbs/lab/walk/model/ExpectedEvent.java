package io.hyperverbs.lab.walk.model;

import io.hyperverbs.verbs.AsyncEvent;

/**
 * An asynchronous event that must come.
 *
 * @param context slot of the context it must come in
 * @param number of the object in the model
 */
public record ExpectedEvent(int context, int number, AsyncEvent.Type type) {}
