package io.hyperverbs.lab.conformance.catalogue;

import io.hyperverbs.lab.conformance.ConformanceCase;
import io.hyperverbs.lab.conformance.rig.Rig;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs one case after the other, each on a new rig and in a thread of its own, so that a call that
 * never returns fails one case and not the run. For one thread.
 */
final class CaseRunner {
    /** Makes the rig of a case. */
    @FunctionalInterface
    interface RigMaker {
        Rig make() throws Exception;
    }

    /** A device that lets this many cases hang is not asked any further. */
    private static final int MAX_HANGING = 3;

    private final RigMaker rigs;
    private final Duration limit;
    private int hanging;

    /**
     * @param limit how long a case may take in all
     */
    CaseRunner(RigMaker rigs, Duration limit) {
        this.rigs = rigs;
        this.limit = limit;
    }

    /** Runs {@code one}; returns why it failed in one line, or empty if it passed. */
    Optional<String> run(ConformanceCase one) throws InterruptedException {
        if (hanging >= MAX_HANGING) {
            return Optional.of("not run: " + hanging + " cases before it hang");
        }
        Attempt attempt = new Attempt(one);
        Thread thread = new Thread(attempt, one.name());
        thread.setDaemon(true);
        thread.start();
        if (!attempt.ended.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            hanging++;
            return Optional.of("hangs after " + limit.toSeconds() + " s in " + where(thread));
        }
        Throwable failure = attempt.failure;
        return failure == null ? Optional.empty() : Optional.of(describe(failure));
    }

    private static String where(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getClassName().startsWith("io.hyperverbs.")) {
                return frame.toString();
            }
        }
        return "code that is not ours";
    }

    private static String describe(Throwable failure) {
        String text = failure instanceof AssertionError ? failure.getMessage() : failure.toString();
        StringBuilder line = new StringBuilder(String.valueOf(text));
        StackTraceElement[] frames = failure.getStackTrace();
        for (StackTraceElement frame : frames) {
            if (frame.getClassName().contains(".conformance.cases.")) {
                line.append(" (").append(frame.getFileName()).append(':');
                line.append(frame.getLineNumber()).append(')');
                break;
            }
        }
        for (Throwable also : failure.getSuppressed()) {
            line.append("; closing: ").append(also.getMessage());
        }
        return line.toString().replace('\n', ' ');
    }

    private final class Attempt implements Runnable {
        private final ConformanceCase one;
        private final CountDownLatch ended = new CountDownLatch(1);
        private volatile @Nullable Throwable failure;

        Attempt(ConformanceCase one) {
            this.one = one;
        }

        @Override
        public void run() {
            try (Rig rig = rigs.make()) {
                one.body().run(rig);
            } catch (Throwable thrown) {
                // Whatever it is, it is this case's verdict; the next case starts anew.
                failure = thrown;
            } finally {
                ended.countDown();
            }
        }
    }
}
