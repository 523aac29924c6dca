package io.hyperverbs.tests.walk;

import io.hyperverbs.lab.run.inprocess.VerbsProxy;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.DomainMemory;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QueuePair;
import io.hyperverbs.verbs.ReceiveWorkRequest;
import io.hyperverbs.verbs.SendWorkRequest;
import io.hyperverbs.verbs.SharedReceiveQueue;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsObject;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WindowBinding;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A domain as a program sees it whose device has a bug. Verbs that the bug does not touch go
 * through as they are.
 */
final class FaultyDevice extends VerbsProxy {
    private final Mutation mutation;
    private final List<VerbsObject> leftOpen = new ArrayList<>();

    /** Regions that no window can be bound to: their end is never refused. */
    private final Set<MemoryRegion> windowless = new HashSet<>();

    /** Completions that a poll had no room for. */
    private final Map<CompletionQueue, Deque<WorkCompletion>> heldOf = new HashMap<>();

    private final List<VerbsObject> stubborn = new ArrayList<>();
    private MemorySegment arena = MemorySegment.NULL;

    FaultyDevice(Mutation mutation) {
        this.mutation = mutation;
    }

    Domain on(Domain domain) {
        return (Domain) seen(domain);
    }

    /** A request as the device takes it. */
    private SendWorkRequest sent(SendWorkRequest request) {
        return request instanceof SendWorkRequest.BindWindow bind
                ? new SendWorkRequest.BindWindow(
                        bind.wrId(), bind.flags(), bind.window(), bind.tag(), mutation.bound(bind.binding()))
                : mutation.sent(request);
    }

    @Override
    protected Object called(Object real, Method method, Object[] args) throws Throwable {
        String verb = method.getName();
        if (real instanceof CompletionQueue cq && verb.equals("poll")) {
            return poll(cq, (WorkCompletion[]) args[0]);
        }
        if (real instanceof ProtectionDomain pd && verb.equals("register")) {
            return register(pd, args);
        }
        if (real instanceof MemoryRegion region
                && verb.equals("close")
                && mutation.keepsKeys()
                && windowless.remove(region)) {
            leftOpen.add(region);
            return null;
        }
        if (real instanceof ProtectionDomain && verb.equals("close")) {
            letGo();
        }
        if (real instanceof SharedReceiveQueue && verb.equals("postReceive")) {
            @SuppressWarnings("unchecked") // The walk posts lists.
            List<ReceiveWorkRequest> posted = (List<ReceiveWorkRequest>) args[0];
            args[0] = mutation.shared(posted);
        }
        if (real instanceof QueuePair && verb.equals("postSend")) {
            @SuppressWarnings("unchecked") // The walk posts lists.
            List<SendWorkRequest> posted = (List<SendWorkRequest>) args[0];
            args[0] = posted.stream().map(this::sent).toList();
        }
        if (real instanceof QueuePair && verb.equals("bind")) {
            args[3] = mutation.bound((WindowBinding) args[3]);
        }
        Object result = unlessSwallowed(real, method, args);
        if (real instanceof Context && verb.endsWith("AsyncEvent")) {
            @SuppressWarnings("unchecked") // That is what these methods return.
            Optional<AsyncEvent> event = (Optional<AsyncEvent>) result;
            return mutation.event(event);
        }
        if (result instanceof QpAttributes found) {
            return mutation.queried(found);
        }
        if (real instanceof DomainMemory && verb.equals("allocate")) {
            arena = (MemorySegment) result;
        }
        return result;
    }

    private Object unlessSwallowed(Object real, Method method, Object[] args) throws Throwable {
        boolean closes = method.getName().equals("close");
        try {
            Object result = call(real, method, args);
            if (closes) {
                closeStubborn();
            }
            return result;
        } catch (VerbsException refusal) {
            if (real instanceof VerbsObject object && mutation.swallows(method.getName(), refusal)) {
                if (closes) {
                    stubborn.add(object);
                }
                return null;
            }
            throw refusal;
        }
    }

    /** Closes what only seemed to be closed, as soon as nothing stands on it. */
    private void closeStubborn() {
        for (VerbsObject one : List.copyOf(stubborn)) {
            try {
                one.close();
                stubborn.remove(one);
            } catch (VerbsException e) {
                // Something stands on it still.
                assert e.status() == VerbsStatus.EBUSY : e;
            }
        }
    }

    private int poll(CompletionQueue cq, WorkCompletion[] out) {
        int found = cq.poll(out);
        Deque<WorkCompletion> held = heldOf.computeIfAbsent(cq, _ -> new ArrayDeque<>());
        List<WorkCompletion> polled = new ArrayList<>(held);
        held.clear();
        for (int i = 0; i < found; i++) {
            polled.add(Mutation.copied(out[i]));
        }
        if (found > 0) {
            mutation.completions(polled);
        }
        int told = Math.min(polled.size(), out.length);
        for (int i = 0; i < told; i++) {
            WorkCompletion one = polled.get(i);
            out[i].fill(one.wrId(), one.status(), one.opcode(), one.byteCount(), one.qpn());
            Mutation.fillRest(out[i], one);
        }
        held.addAll(polled.subList(told, polled.size()));
        mutation.after(polled.subList(0, told), arena);
        return told;
    }

    private Object register(ProtectionDomain pd, Object[] args) throws VerbsException {
        MemorySegment asked = (MemorySegment) args[0];
        long offset = asked.address() - arena.address();
        long length = mutation.registered(asked.byteSize(), arena.byteSize() - offset);
        @SuppressWarnings("unchecked") // ProtectionDomain.register takes that.
        Set<io.hyperverbs.verbs.Access> access = (Set<io.hyperverbs.verbs.Access>) args[1];
        MemorySegment buffer = arena.asSlice(offset, length);
        MemoryRegion region = registered(pd, buffer, access);
        if (!access.contains(io.hyperverbs.verbs.Access.MW_BIND)) {
            windowless.add(region);
        }
        return region;
    }

    private MemoryRegion registered(ProtectionDomain pd, MemorySegment buffer, Set<io.hyperverbs.verbs.Access> access)
            throws VerbsException {
        try {
            return pd.register(buffer, access);
        } catch (VerbsException e) {
            if (e.status() != VerbsStatus.EAGAIN) {
                throw e;
            }
            letGo();
            return pd.register(buffer, access);
        }
    }

    /** Closes what should have been closed before: neither quota nor PD may tell. */
    private void letGo() throws VerbsException {
        for (VerbsObject one : leftOpen) {
            one.close();
        }
        leftOpen.clear();
    }
}
