package io.hyperverbs.lab.walk.agent;

import io.hyperverbs.lab.walk.step.Slots;
import io.hyperverbs.lab.walk.step.Step;
import io.hyperverbs.lab.walk.step.StepText;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.DeviceAttributes;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.PortAttributes;
import io.hyperverbs.verbs.Store;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Guest program: does bursts of steps, which come by the store, numbered from 1: {@code
 * domain/tool/walk/<own name>/<n>} has lines
 *
 * <ul>
 *   <li>{@code reset <millis>}: close all, and wait that long for things from now on
 *   <li>{@code qp <slot> <qpn>}, {@code mr <slot> <lkey> <rkey> <base>}, {@code mw <slot> <rkey>
 *       <base>}: what another domain has
 *   <li>{@code settle <waits>}: wait for what others have caused
 *   <li>{@code do <wr_id> <answer> <waits> <step>}
 * </ul>
 *
 * or is {@link #END}. The answer {@code walk/<n>} under its own name tells what was seen: {@code
 * did} with a status for each step, {@code wc}, {@code event}, {@code mem}, and {@code late} for
 * what did not come. After that, and after another status than the answer expected, the rest of the
 * burst is left undone.
 */
public final class WalkAgent {
    /** The key of bursts, before the name of the domain. */
    public static final String KEY = "walk/";

    /** The last burst. */
    public static final String END = "end";

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Domain domain;
    private final Holdings held;
    private final StepExecutor executor;
    private final EventWatch watch;
    private final ArenaDelta delta;
    private final StringBuilder seen = new StringBuilder();

    /**
     * Opens the contexts of a domain of a walk.
     *
     * @param number of the domain, from 0
     * @param domains of the walk
     * @param clockwork what makes the HCA work while the agent waits, where nothing else does
     */
    public WalkAgent(Domain domain, int number, int domains, Clockwork clockwork) throws VerbsException {
        this.domain = domain;
        this.held = new Holdings(domain);
        this.executor = new StepExecutor(held);
        this.watch = new EventWatch(held, this::tell, clockwork);
        this.delta = new ArenaDelta(held.arena);
        for (int slot = 0; slot < Slots.CONTEXTS; slot++) {
            if (Slots.domainOf(slot, domains) == number) {
                held.contexts[slot] = domain.devices().getFirst().open();
            }
        }
    }

    /**
     * @param args number of this domain and of all, from 0
     */
    public static void main(String[] args) throws VerbsException {
        Domain domain = Domain.current();
        WalkAgent agent =
                new WalkAgent(domain, Integer.parseInt(args[0]), Integer.parseInt(args[1]), Clockwork.OF_ITSELF);
        domain.store().write(KEY + "0", agent.facts());
        agent.loop(domain.store());
    }

    /** What the walk must know of the HCA, in one word. */
    public String facts() throws VerbsException {
        for (Context context : held.contexts) {
            if (context != null) {
                return facts(context);
            }
        }
        throw new IllegalStateException(domain.name() + " has no context");
    }

    private static String facts(Context context) throws VerbsException {
        DeviceAttributes device = context.queryDevice();
        PortAttributes port = context.queryPort(1);
        return LongStream.of(
                        port.lid(),
                        port.activeMtuBytes(),
                        device.maxCqe(),
                        device.maxQpWr(),
                        device.maxSge(),
                        device.maxInlineBytes(),
                        device.maxReadAtomic(),
                        device.objects().maxSrqWr(),
                        device.objects().maxSrqSge(),
                        device.maxMessageBytes())
                .mapToObj(Long::toString)
                .collect(Collectors.joining(","));
    }

    private void loop(Store store) throws VerbsException {
        for (int n = 1; ; n++) {
            String burst = next(store, n);
            store.remove(KEY + (n - 1));
            if (burst.equals(END)) {
                held.reset();
                return;
            }
            store.write(KEY + n, perform(burst));
        }
    }

    private String next(Store store, int n) throws VerbsException {
        while (true) {
            try {
                return store.await("tool", KEY + domain.name() + "/" + n, PATIENCE);
            } catch (VerbsException e) {
                if (e.status() != VerbsStatus.ETIMEDOUT) {
                    throw e;
                }
            }
        }
    }

    /** Does a burst; returns what was seen, a line each. */
    public String perform(String burst) throws VerbsException {
        seen.setLength(0);
        for (String line : burst.lines().toList()) {
            if (!order(line)) {
                break;
            }
        }
        watch.sweep();
        delta.tell(this::tell);
        return seen.toString();
    }

    /** Whether the rest of the burst makes sense. */
    private boolean order(String line) throws VerbsException {
        String[] words = line.split(" ", 5);
        return switch (words[0]) {
            case "reset" -> reset(Long.parseLong(words[1]));
            case "qp" -> {
                held.learnQp(number(words[1]), number(words[2]));
                yield true;
            }
            case "mr" -> {
                held.learnRegion(number(words[1]), number(words[2]), number(words[3]), Long.parseLong(words[4]));
                yield true;
            }
            case "mw" -> {
                held.learnWindow(number(words[1]), number(words[2]), Long.parseLong(words[3]));
                yield true;
            }
            case "settle" -> watch.await(Waits.parse(words[1]));
            case "do" -> step(words);
            default -> throw new IllegalArgumentException("no order: " + line);
        };
    }

    private boolean reset(long patienceMillis) throws VerbsException {
        watch.patience(Duration.ofMillis(patienceMillis));
        held.reset();
        // What the last walk has left behind is nobody's business.
        watch.sweep();
        seen.setLength(0);
        delta.reset();
        return true;
    }

    private boolean step(String[] words) throws VerbsException {
        Step step = StepText.parse(words[4]);
        if (step instanceof Step.Close close) {
            sweepBefore(close);
        }
        String answer = executor.perform(step, Long.parseLong(words[1]));
        tell("did " + answer);
        return answer.split(" ", 2)[0].equals(words[2]) && watch.await(Waits.parse(words[3]));
    }

    /** What lies in a queue is lost with it. */
    private void sweepBefore(Step.Close close) {
        switch (close.kind()) {
            case CQ -> watch.sweep(close.slot());
            case PD, REGION, WINDOW, SRQ, AH, QP -> {}
        }
    }

    private void tell(String line) {
        seen.append(line).append('\n');
    }

    private static int number(String word) {
        return Integer.parseInt(word);
    }
}
