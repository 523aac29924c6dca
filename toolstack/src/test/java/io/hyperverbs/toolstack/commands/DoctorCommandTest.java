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

    @Test
    void saysWhichCoresItIsHeldFrom() {
        assertThat(DoctorCommand.cores(4, 4, "EPYC")).isEqualTo("4 (EPYC); engines of HCAs have 2 of them at most");
        assertThat(DoctorCommand.cores(1, 1, "EPYC")).isEqualTo("1 (EPYC); program and HCA share it");
        assertThat(DoctorCommand.cores(1, 2, "EPYC"))
                .isEqualTo("1 (EPYC); program and HCA share it; the computer has 2,"
                        + " taskset -cp 0-1 $$ lets the shell use them");
    }
}
