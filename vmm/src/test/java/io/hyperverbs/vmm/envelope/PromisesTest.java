package io.hyperverbs.vmm.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.vmm.sandbox.SandboxTier;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PromisesTest {
    private static final GroupsFound ALL = GroupsFound.all(1);
    private static final GroupsFound NONE = GroupsFound.none();

    @Test
    void withGroupsAllIsPromisedInEachTierThatIsASandbox() {
        for (SandboxTier tier : List.of(SandboxTier.ROOT, SandboxTier.USER, SandboxTier.FILES)) {
            Promises promises = Promises.of(tier, ALL, true, true);

            assertThat(promises.list(false)).isEmpty();
            assertThat(promises.summary()).isEqualTo("memory and processor by cgroup v1");
        }
    }

    @Test
    void withoutGroupsMemoryAndProcessorShareAreNotPromised() {
        Promises promises = Promises.of(SandboxTier.ROOT, NONE, true, true);

        assertThat(promises.list(false)).isEqualTo("memory, processor share");
        assertThat(promises.summary()).isEqualTo("memory and processor share are not promised");
        assertThat(promises.keeps(Promise.ENGINE_CORE)).isTrue();
    }

    @Test
    void eachControllerMakesItsOwnPromise() {
        GroupsFound mixed = new GroupsFound(Map.of(Controller.MEMORY, 2));

        Promises promises = Promises.of(SandboxTier.USER, mixed, true, true);

        assertThat(promises.summary()).isEqualTo("memory by cgroup v2, processor share is not promised");
        assertThat(promises.how(Promise.MEMORY)).contains("1280 MiB").endsWith("by cgroup v2");
        assertThat(promises.keeps(Promise.PROCESSOR)).isFalse();
    }

    @Test
    void engineCoreNeedsACoreOfItsOwnAndAWayToKeepGuestsOffIt() {
        assertThat(Promises.of(SandboxTier.ROOT, ALL, false, true).keeps(Promise.ENGINE_CORE))
                .isFalse();
        assertThat(Promises.of(SandboxTier.ROOT, NONE, true, false).keeps(Promise.ENGINE_CORE))
                .isFalse();
        assertThat(Promises.of(SandboxTier.ROOT, ALL, true, false).keeps(Promise.ENGINE_CORE))
                .isTrue();
    }

    @Test
    void withoutASandboxOnlyGroupsPromiseAnything() {
        assertThat(Promises.of(SandboxTier.NONE, NONE, false, true).list(true)).isEmpty();
        assertThat(Promises.of(SandboxTier.NONE, ALL, false, true).list(true))
                .isEqualTo("memory, processes and threads, processor share");
    }

    @Test
    void somethingIsSaidOfEachPromiseInEachTier() {
        for (SandboxTier tier : SandboxTier.values()) {
            Promises promises = Promises.of(tier, NONE, true, true);
            for (Promise one : Promise.values()) {
                assertThat(promises.how(one)).isNotBlank();
            }
        }
    }
}
