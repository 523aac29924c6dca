package io.hyperverbs.tests.walk;

import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.ReceiveWorkRequest;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.WindowBinding;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * One mistake of a device, seen by its programs through a {@link FaultyDevice}. Each has a default: none.
 */
interface Mutation {
    /** Changes what a poll found. */
    default void completions(List<WorkCompletion> polled) {}

    /** What becomes of an event. */
    default Optional<AsyncEvent> event(Optional<AsyncEvent> event) {
        return event;
    }

    /** How many bytes are registered where {@code asked} were, of {@code possible}. */
    default long registered(long asked, long possible) {
        return asked;
    }

    /** Whether a region's keys live on for a while after it was closed. */
    default boolean keepsKeys() {
        return false;
    }

    /** Whether a refusal of that verb is not told. */
    default boolean swallows(String verb, VerbsException refusal) {
        return false;
    }

    /** Changes what is posted to a shared receive queue. */
    default List<ReceiveWorkRequest> shared(List<ReceiveWorkRequest> posted) {
        return posted;
    }

    /** Changes what a window is bound to. */
    default WindowBinding bound(WindowBinding asked) {
        return asked;
    }

    /** Changes a request of a send queue. */
    default SendWorkRequest sent(SendWorkRequest request) {
        return request;
    }

    /** Changes what a query of a queue pair finds. */
    default QpAttributes queried(QpAttributes found) {
        return found;
    }

    /** After completions were told, with the memory of the program. */
    default void after(List<WorkCompletion> told, MemorySegment memory) {}

    /** {@code one} with another status, opcode or length; the rest as it was. */
    static WorkCompletion changed(
            WorkCompletion one, io.hyperverbs.verbs.VerbsStatus status, WorkCompletion.Opcode opcode, int byteCount) {
        WorkCompletion copy = new WorkCompletion();
        copy.fill(one.wrId(), status, opcode, byteCount, one.qpn());
        fillRest(copy, one);
        return copy;
    }

    /** Immediate data, or the key that was ended, and where a datagram came from. */
    static void fillRest(WorkCompletion copy, WorkCompletion one) {
        copy.fillSource(one.sourceQpn(), one.sourceLid(), one.serviceLevel(), one.pkeyIndex(), one.hasGrh());
        if (one.hasImmediate()) {
            copy.fillImmediate(one.immediate());
        }
        if (one.hasInvalidatedKey()) {
            copy.fillInvalidated(one.invalidatedKey());
        }
    }

    /** A copy that the next poll does not overwrite. */
    static WorkCompletion copied(WorkCompletion one) {
        return changed(one, one.status(), one.opcode(), one.byteCount());
    }
}
