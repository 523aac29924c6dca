package io.hyperverbs.lab.run.inprocess;

import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.hca.HcaLimits;
import io.hyperverbs.lab.run.walk.AgentLink;
import io.hyperverbs.lab.run.walk.WalkTarget;
import io.hyperverbs.lab.walk.agent.WalkAgent;
import io.hyperverbs.lab.walk.choose.StepSource;
import io.hyperverbs.lab.walk.choose.WireSteps;
import io.hyperverbs.lab.walk.model.DomainQuota;
import io.hyperverbs.lab.walk.model.HcaFacts;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.VerbsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A walk on an {@link InProcessMachine}. For one thread, which is the engine's too. */
public final class InProcessField implements WalkTarget, AutoCloseable {
    /** The name of this way to walk. */
    public static final String WORD = "in-process";

    /** Sizes of its HCA. */
    public static final HcaLimits LIMITS = new HcaLimits(64, 64, 256, 64, 16, 1 << 16, 64, 8, 1, 2048);

    private static final int RAM_FRAMES = 1024;
    private static final int OTHER_FRAMES = 8192;

    /** No thread has to be waited for: only the clock must get far enough. */
    private static final Duration PATIENCE = Duration.ofMillis(200);

    private final InProcessMachine machine;
    private final List<Link> links = new ArrayList<>();
    private final UnaryOperator<StepSource> certain;
    private final HcaFacts facts;
    private final List<Integer> lids = new ArrayList<>();

    /**
     * @param folder for the journal
     * @param lens what a program sees of its domain; itself, but for tests
     */
    public InProcessField(int domains, Path folder, UnaryOperator<Domain> lens) throws HvException {
        this(domains, folder, lens, Wiring.none(LIMITS), UnaryOperator.identity());
    }

    /** The same with several HCAs, the domains in turn on one or the next; {@code loses}: a wire may lose packets. */
    public InProcessField(int domains, Path folder, List<Wiring> wirings, boolean loses) throws HvException {
        this(domains, folder, UnaryOperator.identity(), wirings, all -> new WireSteps(all, loses));
    }

    private InProcessField(
            int domains,
            Path folder,
            UnaryOperator<Domain> lens,
            List<Wiring> wirings,
            UnaryOperator<StepSource> certain)
            throws HvException {
        this.certain = certain;
        machine = new InProcessMachine(LIMITS, domains * RAM_FRAMES, OTHER_FRAMES, folder, wirings);
        Map<String, String> settings = new LinkedHashMap<>();
        DomainQuota.settings().forEach((key, max) -> settings.put("quota." + key, "" + max));
        try {
            for (int number = 0; number < domains; number++) {
                String name = WORD + "-" + number;
                Domain seen = lens.apply(machine.add(name, RAM_FRAMES, settings));
                links.add(new Link(name, new WalkAgent(seen, number, domains, machine.clockwork())));
            }
            facts = HcaFacts.parse(links.getFirst().agent.facts());
            for (Link link : links) {
                lids.add(HcaFacts.parse(link.agent.facts()).lid());
            }
        } catch (VerbsException | Refusal e) {
            throw new HvException(ExitCode.FAILURE, "no walk in this process: " + e, "");
        }
    }

    @Override
    public List<? extends AgentLink> links() {
        return links;
    }

    @Override
    public HcaFacts hca() {
        return facts;
    }

    @Override
    public List<Integer> lids() {
        return lids;
    }

    @Override
    public StepSource certain(StepSource all) {
        return certain.apply(all);
    }

    @Override
    public Duration unhurried() {
        return PATIENCE;
    }

    @Override
    public Duration hurried() {
        return PATIENCE;
    }

    @Override
    public void close() {
        machine.close();
    }

    /** The agent at the other end of a call. */
    private record Link(String name, WalkAgent agent) implements AgentLink {
        @Override
        public String exchange(String burst) throws HvException {
            try {
                return agent.perform(burst);
            } catch (VerbsException e) {
                throw new HvException(ExitCode.FAILURE, name + ": " + e.getMessage(), "");
            }
        }
    }
}
