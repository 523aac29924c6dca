package io.hyperverbs.lab.run.walk;

import io.hyperverbs.lab.walk.agent.Waits;
import io.hyperverbs.lab.walk.model.Effects;
import io.hyperverbs.lab.walk.model.Expected;
import io.hyperverbs.lab.walk.model.ExpectedEvent;
import io.hyperverbs.lab.walk.model.Model;
import io.hyperverbs.lab.walk.model.ModelQp;
import io.hyperverbs.lab.walk.model.ModelSrq;
import io.hyperverbs.lab.walk.model.ModelWindow;
import io.hyperverbs.lab.walk.step.Slots;
import io.hyperverbs.lab.walk.step.Step;
import io.hyperverbs.lab.walk.step.StepText;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.verbs.AsyncEvent;
import io.hyperverbs.verbs.VerbsStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is to be done next in one domain, and what is known of it. */
final class Burst {
    /** The store takes 48 KiB each way, and an answer may be longer than its burst. */
    private static final int LONGEST_TEXT = 12 * 1024;

    private final AgentLink link;
    private final int domain;
    private final Model model;
    private final Map<Integer, Integer> numbers;
    private final Judge judge;
    private final StringBuilder facts = new StringBuilder();
    private final StringBuilder text = new StringBuilder();
    private final List<Order> orders = new ArrayList<>();
    private final List<String> news = new ArrayList<>();
    private Waits pending = Waits.none();

    Burst(AgentLink link, int domain, Model model, Map<Integer, Integer> numbers, Duration patience) {
        this.link = link;
        this.domain = domain;
        this.model = model;
        this.numbers = numbers;
        this.judge = new Judge(numbers);
        facts.append("reset ").append(patience.toMillis()).append('\n');
    }

    boolean isEmpty() {
        return orders.isEmpty();
    }

    boolean isFull(int steps) {
        return orders.size() >= steps || text.length() >= LONGEST_TEXT;
    }

    /** Whether something is under way to this domain that nobody has seen. */
    boolean isAwaiting() {
        return !pending.isEmpty();
    }

    /** Something another domain has. */
    void tell(String fact) {
        facts.append(fact).append('\n');
    }

    List<String> takeFacts() {
        List<String> taken = List.copyOf(news);
        news.clear();
        return taken;
    }

    /** Adds a step of this domain; its effects here are waited for before the next one. */
    void add(int number, Step step, VerbsStatus answer, long firstWrId, Effects effects) {
        Waits waits = Waits.none();
        List<Expected> completions = ofHere(effects);
        List<ExpectedEvent> events =
                effects.events().stream().filter(one -> isHere(one.context())).toList();
        note(waits, completions, events, effects);
        orders.add(
                new Order(number, step, answer, completions, events, Queries.wanted(model.objects(), step, numbers)));
        text.append("do ").append(firstWrId).append(' ').append(answer);
        text.append(' ').append(waits.format()).append(' ');
        text.append(StepText.format(step)).append('\n');
    }

    /**
     * Takes note of what a step of another domain brings here.
     *
     * @return whether this must be seen before the other domain goes on: it has set requests of
     *     this domain going, or nothing but an event tells that its request has arrived
     */
    boolean await(Effects effects) {
        List<Expected> completions = ofHere(effects);
        List<ExpectedEvent> events =
                effects.events().stream().filter(one -> isHere(one.context())).toList();
        note(pending, completions, events, effects);
        judge.expect(completions, events);
        return completions.stream().anyMatch(one -> !one.receive())
                || events.stream().anyMatch(one -> one.type() == AsyncEvent.Type.COMM_EST)
                || effects.silent().stream().anyMatch(this::isHere);
    }

    private List<Expected> ofHere(Effects effects) {
        return effects.completions().stream().filter(one -> isHere(one.qp())).toList();
    }

    private boolean isHere(ModelQp qp) {
        return isHere(qp.context());
    }

    private boolean isHere(int context) {
        return Slots.domainOf(context, model.domains()) == domain;
    }

    private void note(Waits waits, List<Expected> completions, List<ExpectedEvent> events, Effects effects) {
        completions.forEach(one -> waits.completions().merge(one.cqSlot(), 1, Integer::sum));
        events.forEach(one -> waits.events().merge(one.context(), 1, Integer::sum));
        for (ModelQp qp : effects.silent()) {
            if (isHere(qp)) {
                waits.psns().put(qp.slot(), qp.sendPsn());
            }
        }
    }

    /**
     * Has it all done and compares.
     *
     * @param last number of the last step of all
     * @param atRest whether memory is compared, which nothing changes any more
     */
    Optional<Divergence> exchange(int last, boolean atRest) throws HvException {
        String head = isAwaiting() ? facts + "settle " + pending.format() + "\n" : facts.toString();
        String answer = link.exchange(head + text);
        facts.setLength(0);
        text.setLength(0);
        pending = Waits.none();
        Optional<Divergence> divergence = compare(answer, last, atRest);
        orders.clear();
        return divergence;
    }

    private Optional<Divergence> compare(String answer, int last, boolean atRest) {
        int done = 0;
        int at = orders.isEmpty() ? last : orders.getFirst().number() - 1;
        String late = "";
        for (String line : answer.lines().toList()) {
            String[] words = line.split(" ", -1);
            String wrong = switch (words[0]) {
                case "did" -> judge.missing();
                case "wc" -> judge.completion(words);
                case "event" -> judge.event(words);
                case "late" -> {
                    late = line;
                    yield "";
                }
                case "mem" -> {
                    judge.changed(words);
                    yield "";
                }
                default -> "no answer of an agent: " + line;
            };
            if (!wrong.isEmpty()) {
                return diverges(at, wrong);
            }
            if (words[0].equals("did")) {
                Order order = orders.get(done++);
                at = order.number();
                judge.expect(order.completions(), order.events());
                wrong = answer(words, order);
                if (!wrong.isEmpty()) {
                    return diverges(at, wrong);
                }
            }
        }
        String missing = judge.missing();
        if (missing.isEmpty()) {
            missing = late;
        }
        if (missing.isEmpty() && done < orders.size()) {
            missing = "step was not made";
        }
        if (missing.isEmpty() && atRest) {
            missing = judge.memory(model.memory(), domain * Slots.ARENA_BYTES);
        }
        return missing.isEmpty() ? Optional.empty() : diverges(at, missing);
    }

    private Optional<Divergence> diverges(int step, String text) {
        return Optional.of(new Divergence(Math.max(0, step), link.name() + ": " + text));
    }

    /** The answer of a call, and what came with it. */
    private String answer(String[] words, Order order) {
        if (!words[1].equals(order.answer().name())) {
            return "answers "
                    + String.join(" ", List.of(words).subList(1, words.length))
                    + ", must answer "
                    + order.answer();
        }
        if (order.answer() != VerbsStatus.SUCCESS) {
            return "";
        }
        return switch (order.step()) {
            case Step.OpenQp s -> {
                int sends = Integer.parseInt(words[3]);
                int receives = Integer.parseInt(words[4]);
                if (sends < s.sends() || (s.srq() == Slots.NONE && receives < s.receives())) {
                    yield "room for " + sends + " and " + receives + " requests";
                }
                model.granted(s.qp(), sends, receives);
                ModelQp qp = model.objects().qp(s.qp());
                if (qp != null) {
                    numbers.put(qp.number(), Integer.parseInt(words[2]));
                }
                news.add("qp " + s.qp() + " " + words[2]);
                yield "";
            }
            case Step.OpenWindow s -> {
                ModelWindow window = model.objects().windowOf(s.window());
                if (window != null) {
                    numbers.put(window.number(), Integer.parseInt(words[2]));
                }
                news.add("mw " + s.window() + " " + words[2] + " " + words[3]);
                yield "";
            }
            case Step.OpenSrq s -> {
                ModelSrq srq = model.objects().srq(s.srq());
                if (srq != null) {
                    numbers.put(srq.number(), Integer.parseInt(words[2]));
                }
                yield granted(s.srq(), s.receives(), words[3]);
            }
            case Step.Resize s -> granted(s.srq(), s.receives(), words[2]);
            case Step.QuerySrq s -> judge.attributes(words, order);
            case Step.OpenRegion s -> {
                news.add("mr " + s.region() + " " + words[2] + " " + words[3] + " " + words[4]);
                yield "";
            }
            case Step.Query s -> judge.attributes(words, order);
            default -> "";
        };
    }

    /** Room of a shared receive queue, at least what was asked. */
    private String granted(int slot, int asked, String found) {
        int room = Integer.parseInt(found);
        model.granted(slot, room);
        return room < asked ? "room for " + room + " shared receives" : "";
    }

    /** Whether the model must know what that step gave before the next one. */
    static boolean learnsFrom(Step step) {
        return step instanceof Step.OpenQp || step instanceof Step.OpenSrq || step instanceof Step.Resize;
    }
}
