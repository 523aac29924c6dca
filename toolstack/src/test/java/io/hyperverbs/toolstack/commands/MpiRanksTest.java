package io.hyperverbs.toolstack.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.vmm.domain.Executables;
import java.util.List;
import org.junit.jupiter.api.Test;

class MpiRanksTest {
    private static final long MEMORY = 128L << 20;

    @Test
    void spreadsRanksEvenly() throws HvException {
        assertThat(place(4, room("a", 2), room("b", 2)).hosts()).isEqualTo("a:2,b:2");
        assertThat(place(3, room("a", 2), room("b", 2)).hosts()).isEqualTo("a:2,b:1");
        assertThat(place(5, room("a", 1), room("b", 4)).hosts()).isEqualTo("a:1,b:4");
        assertThat(place(1, room("a", 2), room("b", 2)).guests()).containsExactly("a");
    }

    @Test
    void refusesMoreRanksThanThereIsRoomFor() {
        HvException refused = catchThrowableOfType(HvException.class, () -> place(5, room("a", 2), room("b", 2)));

        assertThat(refused.exit()).isEqualTo(ExitCode.CONFLICT);
        assertThat(refused).hasMessageContaining("5 ranks, but there is room for 4: a 2, b 2; executables: {count: N}");
    }

    @Test
    void refusesMemoryThatIsTooSmallForUcx() {
        MpiRanks.Room small = new MpiRanks.Room("b", new Executables(2, 64L << 20));
        HvException refused = catchThrowableOfType(HvException.class, () -> place(2, room("a", 2), small));

        assertThat(refused.exit()).isEqualTo(ExitCode.CONFLICT);
        assertThat(refused).hasMessageContaining("in b has 64MiB").hasMessageContaining("128MiB");
    }

    private static MpiRanks place(int ranks, MpiRanks.Room... rooms) throws HvException {
        return MpiRanks.place(ranks, List.of(rooms));
    }

    private static MpiRanks.Room room(String guest, int count) {
        return new MpiRanks.Room(guest, new Executables(count, MEMORY));
    }
}
