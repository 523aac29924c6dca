package io.hyperverbs.tests.fuzz;

import io.hyperverbs.backend.journal.JournalDoor;
import java.nio.charset.StandardCharsets;

/**
 * Files of a journal, written and then damaged, or any bytes: what is read is what was written, up
 * to an end that is told, or nothing is believed at all.
 */
final class JournalTarget implements FuzzTarget {
    private static final int MOST_STEPS = 64;

    @Override
    public void play(Input input) {
        JournalDoor door = new JournalDoor();
        int form = input.nextByte();
        if (form == 0xff) {
            door.foreign(input.rest());
        } else {
            write(door, input, form % 32);
            for (int i = 0; i < MOST_STEPS && input.hasMore(); i++) {
                damage(door, input);
            }
        }
        door.judge();
    }

    private static void write(JournalDoor door, Input input, int steps) {
        for (int i = 0; i < steps; i++) {
            int step = input.nextByte();
            switch (step & 7) {
                case 0 -> door.metadata(input.next(input.below(64)));
                case 1 -> door.nextFile((step & 8) != 0);
                case 2 -> door.write(0, 0, 1, "guest", JournalDoor.wordsLikeARecord(input.nextByte()));
                case 3 -> door.write(step >> 3, input.nextByte(), input.nextInt(), text(input), text(input));
                default -> door.write(step >> 3, step >> 3, 1, "guest", "pd=1");
            }
        }
        door.nextFile(false);
    }

    private static String text(Input input) {
        return new String(input.next(input.below(80)), StandardCharsets.UTF_8);
    }

    private static void damage(JournalDoor door, Input input) {
        int step = input.nextByte();
        int file = step >> 3;
        switch (step & 7) {
            case 0, 1 -> door.flip(file, place(input));
            case 2 -> door.cut(file, place(input));
            case 3 -> door.zero(file, place(input), place(input));
            case 4 -> door.copy(file, place(input), input.nextByte(), place(input), place(input));
            case 5 -> door.overwrite(input.nextByte(), file, place(input));
            default -> door.shuffle(file, input.nextByte(), (step & 7) == 6);
        }
    }

    private static int place(Input input) {
        return input.nextByte() | input.nextByte() << 8;
    }
}
