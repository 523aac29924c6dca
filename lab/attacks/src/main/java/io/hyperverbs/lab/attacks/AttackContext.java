package io.hyperverbs.lab.attacks;

import io.hyperverbs.frontend.DriverDomain;
import io.hyperverbs.lab.attacks.raw.RawDevice;
import io.hyperverbs.lab.attacks.raw.RawResources;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.vmm.io.EventSink;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * The attacker: its device below the library, its time, its dice, and what it knows of others.
 * Closing gives back what it has, so that its guest can serve the next attack.
 */
public final class AttackContext implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Of a judge that measures, and stops its attacker for a minute. */
    private static final Duration MEASURING = Duration.ofMinutes(5);

    private final DriverDomain domain;
    private final RawResources resources;
    private final RawDevice device;
    private final long seed;
    private final Duration duration;
    private final String attack;
    private int moments;

    /**
     * @param attack its name
     * @param duration for attacks that go on until they are told to stop
     */
    public AttackContext(DriverDomain domain, String attack, long seed, Duration duration) throws VerbsException {
        this.domain = domain;
        this.attack = attack;
        this.resources = new RawResources(domain);
        this.device = RawDevice.open(domain, resources);
        this.seed = seed;
        this.duration = duration;
    }

    public RawDevice device() {
        return device;
    }

    /** One more device, with a context and a page of its own. */
    public RawDevice anotherDevice() throws VerbsException {
        return RawDevice.open(domain, resources);
    }

    public SplittableRandom dice() {
        return new SplittableRandom(seed);
    }

    public Duration duration() {
        return duration;
    }

    /** The processes around it. */
    public Neighbours neighbours() throws VerbsException {
        return Neighbours.parse(domain.store().await("tool", Neighbours.KEY, PATIENCE));
    }

    /** What there is to know of a victim: {@code alice} or {@code bob}. */
    public VictimFacts victim(String name) throws VerbsException {
        return VictimFacts.parse(domain.store().await(name, VictimFacts.KEY, PATIENCE));
    }

    /** Where events of its session go from now on. */
    public void subscribe(EventSink sink) {
        domain.control().subscribe(sink);
    }

    /** Lets the judge measure; returns when it has. At {@link MeasurePoint#OVER} it does nothing more. */
    public void point(MeasurePoint point) throws VerbsException {
        domain.store().write(MeasurePoint.key(attack, moments), point.format());
        if (point == MeasurePoint.OVER) {
            return;
        }
        String _ = domain.store().await("tool", MeasurePoint.goOn(domain.name(), attack, moments), MEASURING);
        domain.store().remove(MeasurePoint.key(attack, moments));
        moments++;
    }

    /** The same attacker with nothing yet: what it takes is given back when that is closed. */
    public AttackContext part() throws VerbsException {
        return new AttackContext(domain, attack, seed, duration);
    }

    @Override
    public void close() {
        resources.giveBack();
    }
}
