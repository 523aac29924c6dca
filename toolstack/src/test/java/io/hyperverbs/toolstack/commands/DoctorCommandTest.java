package io.hyperverbs.toolstack.commands;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DoctorCommandTest {
    @Test
    void saysSizesAsPeopleReadThem() {
        assertThat(DoctorCommand.size("24684024 kB")).isEqualTo("23.5GiB");
        assertThat(DoctorCommand.size("2048 kB")).isEqualTo("2MiB");
    }

    @Test
    void leavesWhatItDoesNotKnowAsItIs() {
        assertThat(DoctorCommand.size("unknown")).isEqualTo("unknown");
    }
}
