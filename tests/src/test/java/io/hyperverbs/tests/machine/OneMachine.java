package io.hyperverbs.tests.machine;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * One machine without guests for all classes that have this extension: started for the first of
 * them, closed after all tests.
 */
public final class OneMachine implements BeforeAllCallback {
    private static volatile @Nullable TestMachine machine;

    @Override
    public void beforeAll(ExtensionContext context) {
        // The store closes what is in it.
        machine = context.getRoot()
                .getStore(Namespace.create(OneMachine.class))
                .computeIfAbsent("machine", _ -> start(), TestMachine.class);
    }

    private static TestMachine start() {
        try {
            return new TestMachine(List.of(), Map.of());
        } catch (Exception e) {
            throw new IllegalStateException("no machine: " + e, e);
        }
    }

    /** The machine; once this extension has been called. */
    public static TestMachine get() {
        TestMachine started = machine;
        if (started == null) {
            throw new IllegalStateException("no machine was started");
        }
        return started;
    }
}
