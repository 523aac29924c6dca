package io.hyperverbs.tests.walk;

import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Device;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.DomainMemory;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.MemoryWindow;
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
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A domain as a program sees it whose device has a bug. Verbs that the bug does not touch go
 * through as they are, whatever they are called: all interfaces of the API are proxied, and what
 * they return too.
 */
final class FaultyDevice {
    private final Mutation mutation;
    private final List<VerbsObject> leftOpen = new ArrayList<>();

    /** Regions that no window can be bound to: their end is never refused. */
    private final Set<MemoryRegion> windowless = new HashSet<>();

    private final List<VerbsObject> stubborn = new ArrayList<>();
    private MemorySegment arena = MemorySegment.NULL;

    FaultyDevice(Mutation mutation) {
        this.mutation = mutation;
    }

    Domain on(Domain domain) {
        return (Domain) seen(domain);
    }

    /** Anything of the API, seen through the lens; other things as they are. */
    private Object seen(Object real) {
        if (real instanceof List<?> list) {
            return list.stream().map(this::seen).toList();
        }
        boolean isOurs = real instanceof Domain
                || real instanceof Device
                || real instanceof DomainMemory
                || real instanceof VerbsObject;
        if (!isOurs) {
            return real;
        }
        Class<?>[] interfaces = interfacesOf(real.getClass());
        return Proxy.newProxyInstance(FaultyDevice.class.getClassLoader(), interfaces, new View(real));
    }

    private static Class<?>[] interfacesOf(Class<?> type) {
        Stream<Class<?>> all = Stream.empty();
        for (Class<?> one = type; one != null; one = one.getSuperclass()) {
            all = Stream.concat(all, Arrays.stream(one.getInterfaces()));
        }
        return all.filter(one -> one.getName().startsWith("io.hyperverbs.verbs."))
                .distinct()
                .toArray(Class<?>[]::new);
    }

    private static Object real(Object seen) {
        return seen != null
                        && Proxy.isProxyClass(seen.getClass())
                        && Proxy.getInvocationHandler(seen) instanceof View view
                ? view.real
                : seen;
    }

    /** A request with the objects that the driver knows. */
    private SendWorkRequest unveiled(SendWorkRequest request) {
        return request instanceof SendWorkRequest.BindWindow bind
                ? new SendWorkRequest.BindWindow(
                        bind.wrId(),
                        bind.flags(),
                        (MemoryWindow) real(bind.window()),
                        bind.tag(),
                        unveiled(bind.binding()))
                : mutation.sent(request);
    }

    private WindowBinding unveiled(WindowBinding binding) {
        return mutation.bound(new WindowBinding(
                (MemoryRegion) real(binding.region()), binding.address(), binding.lengthBytes(), binding.access()));
    }

    /** One object behind the lens. */
    private final class View implements InvocationHandler {
        private final Object real;

        /** Completions that a poll had no room for. */
        private final Deque<WorkCompletion> held = new ArrayDeque<>();

        View(Object real) {
            this.real = real;
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] given) throws Throwable {
            Object[] args = given == null
                    ? null
                    : Arrays.stream(given).map(FaultyDevice::real).toArray();
            String verb = method.getName();
            if (real instanceof CompletionQueue cq && verb.equals("poll")) {
                return poll(cq, (WorkCompletion[]) given[0]);
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
                args[0] = posted.stream().map(FaultyDevice.this::unveiled).toList();
            }
            if (real instanceof QueuePair && verb.equals("bind")) {
                args[3] = unveiled((WindowBinding) args[3]);
            }
            Object result = call(method, args);
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
            return seen(result);
        }

        private Object call(Method method, Object[] args) throws Throwable {
            boolean closes = method.getName().equals("close");
            try {
                Object result = method.invoke(real, args);
                if (closes) {
                    closeStubborn();
                }
                return result;
            } catch (InvocationTargetException e) {
                if (real instanceof VerbsObject object
                        && e.getCause() instanceof VerbsException refusal
                        && mutation.swallows(method.getName(), refusal)) {
                    if (closes) {
                        stubborn.add(object);
                    }
                    return null;
                }
                throw e.getCause();
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
            return seen(region);
        }

        private MemoryRegion registered(
                ProtectionDomain pd, MemorySegment buffer, Set<io.hyperverbs.verbs.Access> access)
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
}
