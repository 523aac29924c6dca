package io.hyperverbs.toolstack.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hyperverbs.hca.link.LinkSettings;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinkChangesTest {
    @ParameterizedTest
    @CsvSource({
        "none, down, down=true",
        "none, up, none",
        "down=true, up, none",
        "down=true, down, down=true",
        "loss=1% rate=1Gbit queue=64KiB ecn=32KiB, down, down=true loss=1% rate=1Gbit queue=64KiB ecn=32KiB",
        "down=true loss=1% seed=7, up, loss=1% seed=7",
        "loss=1% seed=7, none, none",
        "down=true loss=1%, delay=10us, delay=10us",
        "loss=1%, down=true delay=10us, down=true delay=10us"
    })
    void switchesALinkOrReplacesItsSettings(String before, String words, String after) throws Exception {
        List<String> given = List.of(words.split(" ", -1));

        assertThat(LinkChanges.of(given).apply(LinkSettings.of(before)).text()).isEqualTo(after);
    }

    @Test
    void aMistakeSaysWhatWouldDo() {
        HvException mistake = catchThrowableOfType(HvException.class, () -> LinkChanges.of(List.of("up", "loss=1%")));

        assertThat(mistake.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(mistake.problems().getFirst().hint()).startsWith("down, up, none, or settings");
    }
}
