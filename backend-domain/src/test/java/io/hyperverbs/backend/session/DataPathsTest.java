package io.hyperverbs.backend.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataPathsTest {
    @Test
    void isBypassAloneUnlessTheTopologySaysOtherwise() throws Refusal {
        DataPaths paths = DataPaths.of(Map.of());

        paths.check(DataPathKind.BYPASS);
        Refusal refusal = catchThrowableOfType(Refusal.class, () -> paths.check(DataPathKind.FORWARDED));

        assertThat(paths.isForwarding()).isFalse();
        assertThat(refusal.status()).isEqualTo(VerbsStatus.EPERM);
        assertThat(refusal.words()).isEqualTo("data path forwarded: the topology gives this domain path: bypass");
    }

    @Test
    void mayBeSeveral() throws Refusal {
        DataPaths paths = DataPaths.of(Map.of("path", "bypass,forwarded-unary"));

        paths.check(DataPathKind.BYPASS);
        paths.check(DataPathKind.FORWARDED_UNARY);

        assertThat(paths.isForwarding()).isTrue();
        assertThat(catchThrowableOfType(Refusal.class, () -> paths.check(DataPathKind.FORWARDED)))
                .isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "bypas", "bypass,", ",bypass", "BYPASS", "bypass forwarded"})
    void refusesWhatIsNoPath(String setting) {
        Refusal refusal = catchThrowableOfType(Refusal.class, () -> DataPaths.of(Map.of("path", setting)));

        assertThat(refusal.status()).isEqualTo(VerbsStatus.EINVAL);
        assertThat(refusal.words()).contains("must be bypass, forwarded or forwarded-unary");
    }
}
