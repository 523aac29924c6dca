package io.hyperverbs.vmm.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HierarchyFinderTest {
    private static final String ALL = "cpuset cpu io memory pids";

    @TempDir
    Path folder;

    private FakeTree tree;

    @BeforeEach
    void empty() {
        tree = new FakeTree(folder);
    }

    private HierarchyFinder finder() throws IOException {
        return new HierarchyFinder(tree, tree.proc());
    }

    private List<Hierarchy> find() throws IOException {
        return finder().find();
    }

    private String words() throws IOException {
        return GroupsFound.of(find()).format();
    }

    @Test
    void takesEachControllerOfVersionOneBelowItsOwnGroup() throws Exception {
        Path memory = tree.v1("memory", "/", "/container/a");
        tree.v1("cpu,cpuacct", "/", "/");
        tree.v1("cpuset", "/", "/");
        tree.v1("pids", "/", "/");
        tree.v1("freezer", "/", "/");

        List<Hierarchy> found = find();

        assertThat(GroupsFound.of(found).format()).isEqualTo("memory=1 cpu=1 cpuset=1 pids=1");
        assertThat(found).hasSize(4);
        assertThat(found.getFirst().parent()).isEqualTo(memory);
    }

    @Test
    void findsItsGroupWhereAContainerHasMountedPartOfTheTree() throws Exception {
        Path home = tree.v1("memory", "/docker/x", "/docker/x/inner");

        assertThat(find()).extracting(Hierarchy::parent).containsExactly(home);
    }

    @Test
    void takesNoTreeThatItsGroupIsNotIn() throws Exception {
        tree.v1("memory", "/docker/x", "/docker/x");
        Path cgroup = tree.proc().resolve("cgroup");
        Files.writeString(cgroup, "5:memory:/docker/xy\n");

        assertThat(new HierarchyFinder(tree, cgroup.getParent()).find()).isEmpty();
    }

    @Test
    void leavesOutWhatItMayNotWriteAndSaysSo() throws Exception {
        Path memory = tree.v1("memory", "/", "/user");
        tree.v1("pids", "/", "/user");
        tree.forbid(memory);
        HierarchyFinder finder = finder();

        List<Hierarchy> found = finder.find();

        assertThat(GroupsFound.of(found).format()).isEqualTo("pids=1");
        assertThat(finder.missing().get(Controller.MEMORY)).isEqualTo(memory + " is not writable by this user");
        assertThat(finder.missing().get(Controller.CPU)).isEqualTo("the kernel has no groups for it");
        assertThat(finder.missing()).doesNotContainKey(Controller.PIDS);
    }

    @Test
    void findsNothingWhereThereIsNothing() throws Exception {
        assertThat(find()).isEmpty();
    }

    @Test
    void takesItsOwnGroupOfVersionTwoIfNobodyElseIsInIt() throws Exception {
        Path home = tree.v2(ALL, "/user.slice/scope");

        List<Hierarchy> found = find();

        assertThat(GroupsFound.of(found).format()).isEqualTo("memory=2 cpu=2 cpuset=2 pids=2");
        assertThat(found.getFirst().parent()).isEqualTo(home);
    }

    @Test
    void takesTheNearestEmptyGroupAroundOneWithProcessesOfOthers() throws Exception {
        Path home = tree.v2(ALL, "/user.slice/app.slice/scope");
        Files.writeString(home.resolve("cgroup.procs"), "1\n999999999\n");

        assertThat(find()).extracting(Hierarchy::parent).containsExactly(home.getParent());
    }

    @Test
    void staysInWhatIsDelegatedToIt() throws Exception {
        Path home = tree.v2(ALL, "/user.slice/scope");
        Files.writeString(home.resolve("cgroup.procs"), "999999999\n");
        tree.forbid(home.getParent().resolve("cgroup.procs"));
        tree.forbid(folder.resolve("v2/cgroup.procs"));
        HierarchyFinder finder = finder();

        assertThat(finder.find()).isEmpty();
        assertThat(finder.missing().get(Controller.MEMORY)).isEqualTo(home + " has processes of others");
    }

    @Test
    void takesTheRootWhoeverIsInIt() throws Exception {
        Path home = tree.v2(ALL, "/");
        Files.writeString(home.resolve("cgroup.procs"), "1\n2\n999999999\n");

        assertThat(find()).extracting(Hierarchy::parent).containsExactly(home);
    }

    @Test
    void takesNoGroupOfThreads() throws Exception {
        Path home = tree.v2(ALL, "/threads");
        Files.writeString(home.resolve("cgroup.type"), "threaded\n");
        tree.forbid(folder.resolve("v2/cgroup.procs"));

        assertThat(find()).isEmpty();
    }

    @Test
    void takesFromVersionOneWhatVersionTwoDoesNotHave() throws Exception {
        tree.v2("hugetlb memory", "/a");
        tree.v1("cpu,cpuacct", "/", "/");
        tree.v1("memory", "/", "/");

        assertThat(words()).isEqualTo("memory=2 cpu=1");
    }

    @Test
    void passesOverVersionTwoWithoutItsControllers() throws Exception {
        tree.v2("hugetlb", "/");
        tree.v1("pids", "/", "/");

        assertThat(words()).isEqualTo("pids=1");
    }
}
