package io.hyperverbs.upper.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class JobPlaceTest {
    @Test
    void ranksOfAJobAndJobsHaveServiceIdsOfTheirOwn() {
        JobPlace one = new JobPlace(0x1234_5678_9abc_def0L, 1, List.of("a", "a", "b"));
        JobPlace other = new JobPlace(0x1234_5678_9abc_def1L, 1, List.of("a", "a", "b"));

        assertThat(one.serviceId(0)).isEqualTo(0x4d50_9abc_def0_0000L);
        assertThat(one.serviceId(2)).isEqualTo(0x4d50_9abc_def0_0002L);
        assertThat(other.serviceId(0)).isNotEqualTo(one.serviceId(0));
        assertThat(one.name(2)).isEqualTo("rank 2 in b");
        assertThat(one.ranks()).isEqualTo(3);
    }

    @Test
    void aRankIsOneOfTheJobs() {
        assertThatThrownBy(() -> new JobPlace(1, 2, List.of("a", "b"))).hasMessage("rank 2 of 2");
        assertThatThrownBy(() -> new JobPlace(1, -1, List.of("a", "b"))).hasMessage("rank -1 of 2");
    }

    @Test
    void aProgramThatNoJobStartedIsAlone() {
        assertThat(JobPlace.current().ranks()).isEqualTo(1);
    }
}
