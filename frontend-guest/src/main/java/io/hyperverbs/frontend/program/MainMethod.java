package io.hyperverbs.frontend.program;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/**
 * The method that the java launcher would start (JLS 12.1.4): {@code main(String[])} before {@code
 * main()}, static or of an instance, not private.
 */
final class MainMethod {
    private static final String NAME = "main";

    private final Class<?> owner;
    private final Method method;

    private MainMethod(Class<?> owner, Method method) {
        this.owner = owner;
        this.method = method;
    }

    /**
     * @throws NoSuchMethodException if the class has no such method
     */
    static MainMethod of(Class<?> owner) throws NoSuchMethodException {
        Method method = find(owner, String[].class);
        if (method == null) {
            method = find(owner);
        }
        if (method == null) {
            throw new NoSuchMethodException("no main method in class " + owner.getName());
        }
        method.setAccessible(true);
        return new MainMethod(owner, method);
    }

    /** Runs it; throws what it throws. */
    void invoke(String... args) throws Throwable {
        try {
            Object instance = Modifier.isStatic(method.getModifiers()) ? null : construct();
            if (method.getParameterCount() == 0) {
                method.invoke(instance);
            } else {
                method.invoke(instance, (Object) args);
            }
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            throw cause == null ? e : cause;
        }
    }

    private Object construct() throws ReflectiveOperationException {
        Constructor<?> constructor = owner.getDeclaredConstructor();
        if (Modifier.isPrivate(constructor.getModifiers())) {
            throw new NoSuchMethodException("constructor of class " + owner.getName() + " is private");
        }
        constructor.setAccessible(true);
        return constructor.newInstance();
    }

    private static @Nullable Method find(Class<?> owner, Class<?>... parameters) {
        for (Class<?> type = owner; type != null; type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                if (method.getName().equals(NAME)
                        && method.getReturnType() == void.class
                        && !Modifier.isPrivate(method.getModifiers())
                        && java.util.Arrays.equals(method.getParameterTypes(), parameters)) {
                    return method;
                }
            }
        }
        return null;
    }
}
