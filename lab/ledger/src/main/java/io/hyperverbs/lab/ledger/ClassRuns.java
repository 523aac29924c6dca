package io.hyperverbs.lab.ledger;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestWatcher;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/** Chooses what of a {@link RunsWhenChanged} class runs, and notes it when all of it has held. Any thread. */
final class ClassRuns implements ExecutionCondition, TestWatcher, InvocationInterceptor, AfterAllCallback {
    /** A configuration parameter of JUnit: the ledger in place of that of the user. */
    static final String LEDGER = "hv.ledger";

    /** Another, or a property of the JVM: all, none or what has changed. */
    static final String PROOFS = "proofs";

    static final String CHANGED = "changed";

    /** What holds for root says nothing of other users, who have other rights. */
    private static final String OF_USER =
            System.getProperty("user.name").equals("root") ? "classes-root" : "classes-user";

    /** What ran of a class. For the thread of that class. */
    private static final class Run {
        final boolean isDue;
        final Set<Method> held = new HashSet<>();
        boolean isFailed;

        Run(boolean isDue) {
            this.isDue = isDue;
        }
    }

    private static String ledger(ExtensionContext context) {
        return context.getConfigurationParameter(LEDGER).orElse(OF_USER);
    }

    private static boolean isDue(ExtensionContext context, Class<?> test) {
        try {
            return switch (context.getConfigurationParameter(PROOFS).orElse(CHANGED)) {
                case "all" -> true;
                case "none" -> false;
                default ->
                    !Ledger.of(ClassSources.module(test), ledger(context))
                            .isNoted(ClassSources.file(test), ClassSources.digest(test));
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The condition is asked of the class first, so it is in the class's store, where tests see it. */
    private static Run run(ExtensionContext context) {
        return context.getStore(Namespace.create(ClassRuns.class))
                .computeIfAbsent(Run.class, _ -> new Run(isDue(context, context.getRequiredTestClass())), Run.class);
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (run(context).isDue) {
            return ConditionEvaluationResult.enabled("changed since it held");
        }
        boolean each = context.getTestMethod()
                .map(method -> AnnotationSupport.isAnnotated(method, InEachBuild.class))
                .orElseGet(() -> tests(context.getRequiredTestClass()).stream()
                        .anyMatch(method -> AnnotationSupport.isAnnotated(method, InEachBuild.class)));
        return each
                ? ConditionEvaluationResult.enabled("in each build")
                : ConditionEvaluationResult.disabled("nothing has changed since it held");
    }

    private static List<Method> tests(Class<?> test) {
        return AnnotationSupport.findAnnotatedMethods(test, Testable.class, HierarchyTraversalMode.TOP_DOWN);
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        run(context).held.add(context.getRequiredTestMethod());
    }

    @Override
    public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
        run(context).isFailed = true;
    }

    /** A tool or a right was missing. */
    @Override
    public void testAborted(ExtensionContext context, @Nullable Throwable cause) {
        run(context).isFailed = true;
    }

    /** A watcher hears nothing of factories. */
    @Override
    public <T extends @Nullable Object> T interceptTestFactoryMethod(
            Invocation<T> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        T tests = invocation.proceed();
        run(context).held.add(method.getExecutable());
        return tests;
    }

    @Override
    public void interceptDynamicTest(
            Invocation<@Nullable Void> invocation, DynamicTestInvocationContext test, ExtensionContext context)
            throws Throwable {
        boolean held = false;
        try {
            invocation.proceed();
            held = true;
        } finally {
            run(context).isFailed |= !held;
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        Run run = run(context);
        Class<?> test = context.getRequiredTestClass();
        boolean failed = run.isFailed || context.getExecutionException().isPresent();
        if (!failed && run.isDue && run.held.containsAll(tests(test))) {
            note(ledger(context), test);
        }
    }

    /** Classes end beside each other, and have one file. */
    private static synchronized void note(String ledger, Class<?> test) throws IOException {
        Ledger.of(ClassSources.module(test), ledger).note(ClassSources.file(test), ClassSources.digest(test));
    }
}
