package io.hyperverbs.lab.run.inprocess;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Stands between a program and its domain: all objects of the verbs API are proxied, and what their
 * methods return too, so that a subclass sees each call. Arguments arrive as the driver's own
 * objects. Any thread, as far as the subclass allows.
 */
public abstract class VerbsProxy {
    private static final String API = "io.hyperverbs.verbs.";

    /** Records that may have objects of the API in them. */
    private static final ClassValue<Boolean> HOLDS_OBJECTS = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return type.isRecord()
                    && type.getName().startsWith(API)
                    && Arrays.stream(type.getRecordComponents())
                            .map(RecordComponent::getType)
                            .anyMatch(one -> isObject(one) || (one.isRecord() && get(one)));
        }
    };

    /**
     * A call of the program.
     *
     * @param real the driver's object
     * @param args as the driver knows them
     * @return what the program gets; objects of the API in it are proxied afterwards
     */
    protected abstract @Nullable Object called(Object real, Method method, @Nullable Object @Nullable [] args)
            throws Throwable;

    /** Makes the call, and throws what the driver throws. */
    protected static @Nullable Object call(Object real, Method method, @Nullable Object @Nullable [] args)
            throws Throwable {
        try {
            return method.invoke(real, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Anything, with objects of the API in it proxied. */
    public final @Nullable Object seen(@Nullable Object real) {
        return switch (real) {
            case null -> null;
            case Optional<?> optional -> optional.map(this::seen);
            case List<?> list -> list.stream().map(this::seen).toList();
            case Record one -> HOLDS_OBJECTS.get(one.getClass()) ? rebuilt(one, this::seen) : one;
            default -> {
                Class<?>[] interfaces = isObject(real.getClass()) ? interfacesOf(real.getClass()) : new Class<?>[0];
                yield interfaces.length == 0
                        ? real
                        : Proxy.newProxyInstance(VerbsProxy.class.getClassLoader(), interfaces, new View(real));
            }
        };
    }

    /** The other way round: what the driver knows. */
    private static @Nullable Object real(@Nullable Object seen) {
        return switch (seen) {
            case null -> null;
            case List<?> list
            when !list.isEmpty() && holdsProxies(list.getFirst()) ->
                list.stream().map(VerbsProxy::real).toList();
            case Record one when HOLDS_OBJECTS.get(one.getClass()) -> rebuilt(one, VerbsProxy::real);
            default ->
                Proxy.isProxyClass(seen.getClass()) && Proxy.getInvocationHandler(seen) instanceof View view
                        ? view.real
                        : seen;
        };
    }

    private static boolean holdsProxies(@Nullable Object one) {
        return one instanceof Record || (one != null && Proxy.isProxyClass(one.getClass()));
    }

    /** Values of the API are records, enums and classes of its own; its objects are interfaces. */
    private static boolean isObject(Class<?> type) {
        return type.isInterface()
                ? type.getName().startsWith(API) && !type.isSealed()
                : !type.isEnum() && !type.isRecord() && interfacesOf(type).length > 0;
    }

    private static Class<?>[] interfacesOf(Class<?> type) {
        Stream<Class<?>> all = Stream.empty();
        for (Class<?> one = type; one != null; one = one.getSuperclass()) {
            all = Stream.concat(all, Arrays.stream(one.getInterfaces()));
        }
        return all.filter(one -> one.getName().startsWith(API)).distinct().toArray(Class<?>[]::new);
    }

    private static Object rebuilt(Record one, UnaryOperator<@Nullable Object> each) {
        RecordComponent[] components = one.getClass().getRecordComponents();
        @Nullable Object[] values = new @Nullable Object[components.length];
        try {
            for (int i = 0; i < values.length; i++) {
                values[i] = each.apply(components[i].getAccessor().invoke(one));
            }
            Class<?>[] types =
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
            Constructor<?> canonical = one.getClass().getDeclaredConstructor(types);
            return canonical.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no copy of " + one, e);
        }
    }

    /** One object of the driver. */
    private final class View implements InvocationHandler {
        private final Object real;

        View(Object real) {
            this.real = real;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] given)
                throws Throwable {
            @Nullable
            Object[] args = given == null
                    ? null
                    : Arrays.stream(given).map(VerbsProxy::real).toArray();
            return seen(called(real, method, args));
        }
    }
}
