package io.hyperverbs.lab.run.fairness;

import io.hyperverbs.lab.attacks.load.Attacker;
import io.hyperverbs.lab.attacks.load.Victim;
import io.hyperverbs.launcher.failure.HvException;

/** A victim and an attacker that do as they are told; in a machine, or made up in tests. */
public interface Guests {
    /** The victim alone. */
    LoadPace alone(Victim victim, int millis) throws HvException, InterruptedException;

    /** The victim while the attacker is at full speed. */
    Beside beside(Attacker attacker, Victim victim, int millis) throws HvException, InterruptedException;

    /** Both at a time. */
    record Beside(LoadPace victim, double attackerPerSecond) {}
}
