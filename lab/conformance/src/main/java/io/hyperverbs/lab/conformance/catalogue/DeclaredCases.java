package io.hyperverbs.lab.conformance.catalogue;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.ConformanceCase;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.verbs.VerbsException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the cases that classes declare by {@link Case} and {@link CaseFamily}. Callable from any thread. */
final class DeclaredCases {
    private static final Pattern NEXT_WORD = Pattern.compile("(?<=[a-zA-Z0-9])(?=[A-Z])|(?<=[a-zA-Z])(?=[0-9])");

    /** What cases may take. */
    private static final Set<List<Class<?>>> OF_CASES = Set.of(
            List.of(Rig.class),
            List.of(Side.class),
            List.of(Side.class, Side.class),
            List.of(Rig.class, Side.class),
            List.of(Rig.class, Side.class, Side.class));

    private static final Set<List<Class<?>>> OF_FAMILIES = Set.of(List.of(CaseList.class));

    private DeclaredCases() {}

    /**
     * The cases of {@code classes}, in that order; those of one class in the order of its methods' names, and
     * those of a family as it adds them.
     *
     * @throws IllegalStateException if a declaration is wrong, or two cases have one name
     */
    static List<ConformanceCase> of(List<Class<?>> classes) {
        List<ConformanceCase> cases =
                classes.stream().flatMap(one -> of(one).stream()).toList();
        Set<String> names = new HashSet<>();
        for (ConformanceCase one : cases) {
            if (!names.add(one.name())) {
                throw new IllegalStateException("two cases are called " + one.name());
            }
        }
        return cases;
    }

    /** Whether {@code method} declares cases. */
    static boolean isDeclaration(Method method) {
        return method.isAnnotationPresent(Case.class) || method.isAnnotationPresent(CaseFamily.class);
    }

    private static List<ConformanceCase> of(Class<?> declaring) {
        CaseGroup group = declaring.getAnnotation(CaseGroup.class);
        if (group == null) {
            throw new IllegalStateException(declaring.getName() + " has no @CaseGroup");
        }
        CaseList cases = new CaseList(group.value());
        Stream.of(declaring.getDeclaredMethods())
                .filter(DeclaredCases::isDeclaration)
                .sorted(Comparator.comparing(Method::getName))
                .forEach(method -> add(method, cases));
        if (cases.cases().isEmpty()) {
            throw new IllegalStateException(declaring.getName() + " declares no case");
        }
        return cases.cases();
    }

    private static void add(Method method, CaseList cases) {
        Case declared = method.getAnnotation(Case.class);
        if (declared != null) {
            require(method, OF_CASES, "a Rig, the sides of a pair, or both");
            cases.add(words(method.getName()), declared.value(), rig -> call(method, arguments(method, rig)));
            return;
        }
        require(method, OF_FAMILIES, "a CaseList");
        try {
            call(method, List.of(cases));
        } catch (Exception e) {
            throw new IllegalStateException(method + " cannot add its cases", e);
        }
    }

    private static void require(Method method, Set<List<Class<?>>> allowed, String words) {
        if (!Modifier.isStatic(method.getModifiers())
                || method.getReturnType() != void.class
                || !allowed.contains(List.of(method.getParameterTypes()))) {
            throw new IllegalStateException(method + " declares cases: it must be static, void, and take " + words);
        }
        method.setAccessible(true);
    }

    private static List<?> arguments(Method method, Rig rig) throws VerbsException {
        List<Class<?>> wanted = List.of(method.getParameterTypes());
        if (!wanted.contains(Side.class)) {
            return List.of(rig);
        }
        Rig.Pair pair = rig.pair();
        int first = wanted.contains(Rig.class) ? 0 : 1;
        return List.of(rig, pair.requester(), pair.responder()).subList(first, first + wanted.size());
    }

    /** Throws what the method throws. */
    private static void call(Method method, List<?> arguments) throws Exception {
        try {
            method.invoke(null, arguments.toArray());
        } catch (InvocationTargetException thrown) {
            switch (thrown.getCause()) {
                case Error error -> throw error;
                case Exception exception -> throw exception;
                case null, default -> throw thrown;
            }
        }
    }

    private static String words(String methodName) {
        return NEXT_WORD.matcher(methodName).replaceAll("-").toLowerCase(Locale.ROOT);
    }
}
