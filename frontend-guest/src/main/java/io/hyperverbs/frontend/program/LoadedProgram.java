package io.hyperverbs.frontend.program;

import io.hyperverbs.verbs.ProgramExit;
import io.hyperverbs.verbs.VerbsException;
import java.util.List;

/** A main class with its arguments. */
public final class LoadedProgram {
    /** Exit code of a program that ended by an exception. */
    static final int FAILED = 1;

    private final ClassLoader loader;
    private final String mainClass;
    private final List<String> args;

    public LoadedProgram(ClassLoader loader, String mainClass, List<String> args) {
        this.loader = loader;
        this.mainClass = mainClass;
        this.args = List.copyOf(args);
    }

    /**
     * Runs the program in the calling thread. Why it failed goes to standard error: one line for a
     * refused verb and for a class that cannot be started, else the stack trace.
     *
     * @return 0, 1 after an exception, or what {@link ProgramExit} says
     */
    @SuppressWarnings("CatchingUnchecked") // Whatever a program throws ends that program alone.
    public int run() {
        Thread.currentThread().setContextClassLoader(loader);
        try {
            MainMethod.of(Class.forName(mainClass, true, loader)).invoke(args.toArray(String[]::new));
            return 0;
        } catch (ClassNotFoundException e) {
            System.err.println("class " + e.getMessage() + " is not on the class path");
        } catch (NoSuchMethodException e) {
            System.err.println(e.getMessage());
        } catch (ProgramExit e) {
            return e.code();
        } catch (VerbsException e) {
            System.err.println(mainClass + ": " + e.getMessage());
        } catch (Throwable e) {
            System.err.print("Exception in thread \"" + Thread.currentThread().getName() + "\" ");
            e.printStackTrace();
        }
        return FAILED;
    }
}
