package io.hyperverbs.lab.attacks;

import java.util.Locale;

/**
 * What an attacker tells its judge of one attack, as a line in the store.
 *
 * @param verdict first word of its verdict
 * @param spent its guest cannot serve another attack
 * @param observed what was seen
 */
public record AttackReport(Kind verdict, boolean spent, String observed) {
    private static final int MAX_CHARACTERS = 2000;

    /** What an attacker can say. */
    public enum Kind {
        /** All was as expected. */
        CONTAINED,
        /** Something was seen that must not be. */
        BREACH,
        /** The attack could not be made. */
        FAILED,
        /** It could not be made because the sandbox lets the guest make no sockets. */
        REFUSED
    }

    /** Key of the store under which an attacker tells of its n-th attack. */
    public static String key(int attack) {
        return "isolate/word/" + attack;
    }

    /** Key of the tool that lets an attacker go on after its n-th attack. */
    public static String goOn(String attacker, int attack) {
        return "isolate/go/" + attacker + "/" + attack;
    }

    public String format() {
        String line = observed.replace('\n', ' ');
        return verdict.name()
                + (spent ? " spent " : " well ")
                + line.substring(0, Math.min(MAX_CHARACTERS, line.length()));
    }

    /** Reads what an attacker wrote; whatever is not of that form is a failure. */
    public static AttackReport parse(String text) {
        String[] parts = text.split(" ", 3);
        for (Kind kind : Kind.values()) {
            if (parts.length == 3 && parts[0].equals(kind.name())) {
                return new AttackReport(kind, !parts[1].equals("well"), parts[2]);
            }
        }
        return new AttackReport(Kind.FAILED, true, "the attacker said " + text.toLowerCase(Locale.ROOT));
    }
}
