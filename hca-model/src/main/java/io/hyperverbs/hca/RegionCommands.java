package io.hyperverbs.hca;

import io.hyperverbs.hca.HcaCommands.Keyed;
import io.hyperverbs.hca.HcaCommands.Numbered;
import io.hyperverbs.hca.HcaCommands.RegionInit;
import io.hyperverbs.hca.HcaCommands.ShareInit;
import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.engine.Card;
import io.hyperverbs.hca.engine.Uar;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.RegionContextLayout;
import io.hyperverbs.hca.layout.RegionContextLayout.Field;
import io.hyperverbs.hca.layout.UarLayout;
import io.hyperverbs.hca.schedule.Price;
import io.hyperverbs.hca.tpt.RangeCheck;
import io.hyperverbs.hca.tpt.Region;
import io.hyperverbs.hca.tpt.RegionPlan;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Commands on contexts, protection and XRC domains, and regions, each run on the engine thread. */
final class RegionCommands {
    private static final int NEEDS_LOCAL_WRITE = Access.REMOTE_WRITE.bit() | Access.REMOTE_ATOMIC.bit();

    private final Card card;

    RegionCommands(Card card) {
        this.card = card;
    }

    Numbered openUar(int domain, long page, ShareInit share) {
        long size = card.contexts().memory().byteSize();
        if ((page & (UarLayout.SIZE_BYTES - 1)) != 0 || !RangeCheck.isWithin(0, size, page, UarLayout.SIZE_BYTES)) {
            return new Numbered(VerbsStatus.EINVAL, 0);
        }
        if (card.uars().isFull()) {
            return new Numbered(VerbsStatus.ENOMEM, 0);
        }
        Uar uar = card.uars().open(domain, page, share.weight(), share.bytesPerSecond(), share.messagesPerSecond());
        card.bill(uar.share(), Price.COMMAND);
        return new Numbered(VerbsStatus.SUCCESS, uar.number());
    }

    VerbsStatus closeUar(int number) {
        Uar uar = card.uars().byNumber(number);
        if (uar == null) {
            return VerbsStatus.ENOENT;
        }
        if (uar.isUsed()) {
            return VerbsStatus.EBUSY;
        }
        card.uars().close(uar);
        return VerbsStatus.SUCCESS;
    }

    VerbsStatus endDomain(int domain) {
        card.uars().forget(domain);
        return VerbsStatus.SUCCESS;
    }

    Numbered allocatePd(int domain) {
        return card.pds().isFull()
                ? new Numbered(VerbsStatus.ENOMEM, 0)
                : new Numbered(VerbsStatus.SUCCESS, card.pds().allocate(domain));
    }

    VerbsStatus deallocatePd(int pd) {
        if (!card.pds().exists(pd)) {
            return VerbsStatus.ENOENT;
        }
        if (card.pds().isUsed(pd)) {
            return VerbsStatus.EBUSY;
        }
        card.pds().deallocate(pd);
        return VerbsStatus.SUCCESS;
    }

    Numbered openXrcd(int domain) {
        return card.pds().isFull()
                ? new Numbered(VerbsStatus.ENOMEM, 0)
                : new Numbered(VerbsStatus.SUCCESS, card.pds().openXrcd(domain));
    }

    VerbsStatus closeXrcd(int xrcd) {
        if (!card.pds().isXrcd(xrcd)) {
            return VerbsStatus.ENOENT;
        }
        if (card.pds().isUsed(xrcd)) {
            return VerbsStatus.EBUSY;
        }
        card.pds().deallocate(xrcd);
        return VerbsStatus.SUCCESS;
    }

    Keyed createRegion(@Nullable RegionPlan plan) {
        if (plan == null || !card.pds().exists(plan.pd())) {
            return new Keyed(VerbsStatus.EINVAL, 0, 0, 0);
        }
        Region region = card.tpt().create(plan);
        if (region == null) {
            return new Keyed(VerbsStatus.ENOMEM, 0, 0, 0);
        }
        card.pds().addRegions(plan.pd(), 1);
        note(region);
        return new Keyed(VerbsStatus.SUCCESS, region.number(), region.lkey(), region.rkey());
    }

    Keyed reregisterRegion(int number, @Nullable RegionPlan plan) {
        Region former = card.tpt().byNumber(number);
        if (former == null) {
            return new Keyed(VerbsStatus.ENOENT, 0, 0, 0);
        }
        boolean valid = plan != null && card.pds().exists(plan.pd());
        if (plan == null || !valid || former.boundWindows() > 0) {
            VerbsStatus why = valid ? VerbsStatus.EBUSY : VerbsStatus.EINVAL;
            return new Keyed(why, 0, 0, 0);
        }
        RegionContextLayout.publishRelease(card.contexts().memory(), entry(number), 0);
        Region region = card.tpt().replace(former, plan);
        card.pds().addRegions(former.pd(), -1);
        card.pds().addRegions(region.pd(), 1);
        note(region);
        return new Keyed(VerbsStatus.SUCCESS, number, region.lkey(), region.rkey());
    }

    VerbsStatus destroyRegion(int number) {
        Region region = card.tpt().byNumber(number);
        if (region == null) {
            return VerbsStatus.ENOENT;
        }
        if (region.boundWindows() > 0) {
            return VerbsStatus.EBUSY;
        }
        card.bill(card.pds().domain(region.pd()), Price.COMMAND);
        card.tpt().destroy(region);
        card.pds().addRegions(region.pd(), -1);
        RegionContextLayout.publishRelease(card.contexts().memory(), entry(number), 0);
        return VerbsStatus.SUCCESS;
    }

    /**
     * The region with its pieces resolved, or null if anything about it is wrong. Any thread: the
     * more pieces a region has, the longer this takes, and the engine need not wait for it.
     */
    @Nullable
    RegionPlan plan(RegionInit init) {
        int access = init.access();
        long length = init.lengthBytes();
        long base = (access & Access.ZERO_BASED.bit()) != 0 ? 0 : init.virtualAddress();
        if (length <= 0
                || init.offsetInFirstRun() < 0
                || (access & ~Access.ALL_BITS) != 0
                || ((access & NEEDS_LOCAL_WRITE) != 0 && (access & Access.LOCAL_WRITE.bit()) == 0)
                || Long.compareUnsigned(base + (length - 1), base) < 0) {
            return null;
        }
        int count = init.runs().size();
        long[] starts = new long[count + 1];
        long[] addresses = new long[count];
        long memorySize = card.contexts().memory().byteSize();
        long covered = 0;
        int used = 0;
        for (MachineRun run : init.runs()) {
            long skip = used == 0 ? init.offsetInFirstRun() : 0;
            if (run.lengthBytes() <= skip
                    || !RangeCheck.isWithin(0, memorySize, run.machineAddress(), run.lengthBytes())) {
                return null;
            }
            if (covered == length) {
                break;
            }
            starts[used] = covered;
            addresses[used] = run.machineAddress() + skip;
            covered += Math.min(run.lengthBytes() - skip, length - covered);
            used++;
        }
        if (covered != length) {
            return null;
        }
        starts[used] = length;
        return new RegionPlan(
                init.pd(),
                base,
                length,
                access,
                java.util.Arrays.copyOf(starts, used + 1),
                java.util.Arrays.copyOf(addresses, used));
    }

    // What follows each registration.
    private void note(Region region) {
        card.bill(card.pds().domain(region.pd()), Price.COMMAND);
        long entry = entry(region.number());
        note(entry, Field.DOMAIN, card.pds().domain(region.pd()));
        note(entry, Field.PD, region.pd());
        note(entry, Field.ACCESS, region.access());
        note(entry, Field.VIRTUAL_ADDRESS, region.virtualAddress());
        note(entry, Field.LENGTH_BYTES, region.lengthBytes());
        note(entry, Field.LKEY, region.lkey());
        note(entry, Field.RKEY, region.rkey());
        note(entry, Field.FIRST_ADDRESS, region.machineAddress(0));
        note(entry, Field.RUN_COUNT, region.runCount());
        MemorySegment memory = card.contexts().memory();
        RegionContextLayout.publishRelease(memory, entry, region.number());
    }

    private void note(long entry, Field field, long value) {
        RegionContextLayout.set(card.contexts().memory(), entry, field, value);
    }

    private long entry(int number) {
        ContextMemory contexts = card.contexts();
        return contexts.entry(Table.REGION, number - 1, RegionContextLayout.SIZE_BYTES);
    }
}
