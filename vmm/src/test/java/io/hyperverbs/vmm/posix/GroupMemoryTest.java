package io.hyperverbs.vmm.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupMemoryTest {
    private static final long MEBIBYTE = 1 << 20;

    @TempDir
    Path root;

    private GroupMemory memory;

    @BeforeEach
    void mount() throws IOException {
        memory = new GroupMemory(Files.createDirectory(root.resolve("v2")), Files.createDirectory(root.resolve("v1")));
    }

    private void v2(String path, String max, long current, long cache) throws IOException {
        Path group = Files.createDirectories(root.resolve("v2").resolve(path));
        Files.writeString(group.resolve("memory.max"), max + "\n");
        Files.writeString(group.resolve("memory.current"), current + "\n");
        Files.writeString(group.resolve("memory.stat"), "anon 5\ninactive_file " + cache + "\nslab 6\n");
    }

    private void v1(String path, long limit, long usage, long cache) throws IOException {
        Path group = Files.createDirectories(root.resolve("v1").resolve(path));
        Files.writeString(group.resolve("memory.limit_in_bytes"), limit + "\n");
        Files.writeString(group.resolve("memory.usage_in_bytes"), usage + "\n");
        Files.writeString(group.resolve("memory.stat"), "inactive_file 1\ntotal_inactive_file " + cache);
    }

    @Test
    void theTightestGroupAboveCounts() throws IOException {
        v2("a", "" + 100 * MEBIBYTE, 90 * MEBIBYTE, 20 * MEBIBYTE);
        v2("a/b", "" + 500 * MEBIBYTE, 90 * MEBIBYTE, 0);
        v2("a/b/c", "max", 80 * MEBIBYTE, 0);

        assertThat(memory.leftBytes("0::/a/b/c\n")).isEqualTo(30 * MEBIBYTE);
        assertThat(memory.leftBytes("0::/other\n")).isEqualTo(GroupMemory.UNLIMITED);
    }

    @Test
    void readsTheMemoryControllerOfVersionOne() throws IOException {
        v1("", 1L << 62, 7, 0);
        v1("a", 64 * MEBIBYTE, 60 * MEBIBYTE, MEBIBYTE);

        assertThat(memory.leftBytes("3:cpu,cpuacct:/x\n9:memory:/a\n0::/\n")).isEqualTo(5 * MEBIBYTE);
        assertThat(memory.leftBytes("9:hugetlb,memory:/\n")).isEqualTo(GroupMemory.UNLIMITED);
    }

    @Test
    void aGroupThatIsOverItsLimitHasNothingLeft() throws IOException {
        v2("a", "4096", 8192, 0);

        assertThat(memory.leftBytes("0::/a")).isZero();
    }

    @Test
    void whatCannotBeReadSetsNoLimit() throws IOException {
        v2("a", "many", 1, 0);

        assertThat(memory.leftBytes("0::/a\nnonsense\n0::/../../etc\n")).isEqualTo(GroupMemory.UNLIMITED);
    }
}
