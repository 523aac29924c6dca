package io.hyperverbs.vmm.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.vmm.posix.MemoryMap;
import io.hyperverbs.vmm.posix.PosixException;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GrantTableTest {
    private static final int OWNER = 1;
    private static final int GUEST = 2;
    private static final int STRANGER = 3;

    private final FrameTable frames = new FrameTable(100);
    private final GrantTable grants = new GrantTable();

    @AfterEach
    void freeAll() {
        frames.freeAll(OWNER);
    }

    private Extent page() {
        return frames.allocate(OWNER, FrameKind.UAR, 1);
    }

    @Test
    void isFoundByItsDomainAlone() throws Exception {
        Grant grant = grants.grant(page(), GUEST, false);

        assertThat(grants.find(GUEST, grant.reference())).isEqualTo(grant);
        assertThat(grants.find(STRANGER, grant.reference())).isNull();
        assertThat(grants.find(OWNER, grant.reference())).isNull();
        assertThat(grants.find(GUEST, grant.reference() + 1)).isNull();
    }

    @Test
    void isRevokedByItsOwnerAlone() throws Exception {
        Grant grant = grants.grant(page(), GUEST, false);

        assertThat(grants.revoke(GUEST, grant.reference())).isFalse();
        assertThat(grants.revoke(OWNER, grant.reference())).isTrue();
        assertThat(grants.find(GUEST, grant.reference())).isNull();
        assertThat(grants.revoke(OWNER, grant.reference())).isFalse();
    }

    @Test
    void readOnlyGrantSealsTheMemory() throws Exception {
        Extent page = page();

        grants.grant(page, GUEST, true);

        try (Arena arena = Arena.ofShared()) {
            assertThatThrownBy(() -> MemoryMap.map(page.memfd(), 4096, false, arena))
                    .isInstanceOf(PosixException.class);
        }
        assertThat(grants.grant(page, STRANGER, false)).isNull();
        assertThat(grants.grant(page, STRANGER, true)).isNotNull();
    }

    @Test
    void referencesAreNotUsedAgain() throws Exception {
        Extent page = page();
        long old = grants.grant(page, GUEST, false).reference();
        grants.revoke(OWNER, old);

        assertThat(grants.grant(page, GUEST, false).reference()).isNotEqualTo(old);
    }

    @Test
    void goesWithEitherDomain() throws Exception {
        grants.grant(page(), GUEST, false);
        grants.grant(page(), STRANGER, false);

        grants.removeDomain(GUEST);
        assertThat(grants.size()).isOne();

        grants.removeDomain(OWNER);
        assertThat(grants.size()).isZero();
    }

    @Test
    void anExtentIsGrantedUntilItIsForgotten() throws Exception {
        Extent page = page();
        Extent another = page();
        Grant kept = grants.grant(another, GUEST, true);
        grants.grant(page, GUEST, true);
        grants.grant(page, STRANGER, true);
        assertThat(grants.isGranted(page)).isTrue();
        assertThat(grants.grant(page, GUEST, false)).isNull();

        grants.forget(page);

        assertThat(grants.isGranted(page)).isFalse();
        assertThat(grants.isGranted(another)).isTrue();
        assertThat(grants.find(GUEST, kept.reference())).isEqualTo(kept);
        assertThat(grants.size()).isOne();
    }

    /** What was sealed stays so until its owner goes: nothing else may be granted for writing. */
    @Test
    void sealsOfAnOwnerGoWithIt() throws Exception {
        Extent page = page();
        grants.grant(page, GUEST, true);

        grants.removeDomain(STRANGER);
        assertThat(grants.grant(page, GUEST, false)).isNull();
        grants.removeDomain(GUEST);
        assertThat(grants.grant(page, GUEST, false)).isNull();
        grants.removeDomain(OWNER);

        assertThat(grants.grant(page, GUEST, false)).isNotNull();
    }
}
