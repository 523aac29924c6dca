package io.hyperverbs.hca;

import io.hyperverbs.hca.HcaCommands.Keyed;
import io.hyperverbs.hca.HcaCommands.Numbered;
import io.hyperverbs.hca.HcaCommands.RegionInit;
import io.hyperverbs.hca.HcaCommands.ShareInit;
import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.engine.HcaDevice;
import io.hyperverbs.hca.engine.Uar;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.RegionContextLayout;
import io.hyperverbs.hca.layout.RegionContextLayout.Field;
import io.hyperverbs.hca.layout.UarLayout;
import io.hyperverbs.hca.port.PkeyTable;
import io.hyperverbs.hca.schedule.EngineCost;
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

    private final HcaDevice device;

    RegionCommands(HcaDevice device) {
        this.device = device;
    }

    Numbered openUar(int domain, long page, ShareInit share, PkeyTable pkeys) {
        long size = device.contexts().memory().byteSize();
        if ((page & (UarLayout.SIZE_BYTES - 1)) != 0 || !RangeCheck.isWithin(0, size, page, UarLayout.SIZE_BYTES)) {
            return new Numbered(VerbsStatus.EINVAL, 0);
        }
        if (device.uars().isFull()) {
            return new Numbered(VerbsStatus.ENOMEM, 0);
        }
        Uar uar = device.uars()
                .open(domain, page, share.weight(), share.bytesPerSecond(), share.messagesPerSecond(), pkeys);
        device.bill(uar.share(), EngineCost.COMMAND);
        return new Numbered(VerbsStatus.SUCCESS, uar.number());
    }

    VerbsStatus closeUar(int number) {
        Uar uar = device.uars().byNumber(number);
        if (uar == null) {
            return VerbsStatus.ENOENT;
        }
        if (uar.isUsed()) {
            return VerbsStatus.EBUSY;
        }
        device.uars().close(uar);
        return VerbsStatus.SUCCESS;
    }

    VerbsStatus endDomain(int domain) {
        device.uars().forget(domain);
        return VerbsStatus.SUCCESS;
    }

    Numbered allocatePd(int domain) {
        return device.pds().isFull()
                ? new Numbered(VerbsStatus.ENOMEM, 0)
                : new Numbered(VerbsStatus.SUCCESS, device.pds().allocate(domain));
    }

    VerbsStatus deallocatePd(int pd) {
        if (!device.pds().exists(pd)) {
            return VerbsStatus.ENOENT;
        }
        if (device.pds().isUsed(pd)) {
            return VerbsStatus.EBUSY;
        }
        device.pds().deallocate(pd);
        return VerbsStatus.SUCCESS;
    }

    Numbered openXrcd(int domain) {
        return device.pds().isFull()
                ? new Numbered(VerbsStatus.ENOMEM, 0)
                : new Numbered(VerbsStatus.SUCCESS, device.pds().openXrcd(domain));
    }

    VerbsStatus closeXrcd(int xrcd) {
        if (!device.pds().isXrcd(xrcd)) {
            return VerbsStatus.ENOENT;
        }
        if (device.pds().isUsed(xrcd)) {
            return VerbsStatus.EBUSY;
        }
        device.pds().deallocate(xrcd);
        return VerbsStatus.SUCCESS;
    }

    Keyed createRegion(@Nullable RegionPlan plan) {
        if (plan == null || !device.pds().exists(plan.pd())) {
            return new Keyed(VerbsStatus.EINVAL, 0, 0, 0);
        }
        Region region = device.tpt().create(plan);
        if (region == null) {
            return new Keyed(VerbsStatus.ENOMEM, 0, 0, 0);
        }
        device.pds().addRegions(plan.pd(), 1);
        note(region);
        return new Keyed(VerbsStatus.SUCCESS, region.number(), region.lkey(), region.rkey());
    }

    Keyed reregisterRegion(int number, @Nullable RegionPlan plan) {
        Region former = device.tpt().byNumber(number);
        if (former == null) {
            return new Keyed(VerbsStatus.ENOENT, 0, 0, 0);
        }
        boolean valid = plan != null && device.pds().exists(plan.pd());
        if (plan == null || !valid || former.boundWindows() > 0) {
            VerbsStatus why = valid ? VerbsStatus.EBUSY : VerbsStatus.EINVAL;
            return new Keyed(why, 0, 0, 0);
        }
        RegionContextLayout.publishRelease(device.contexts().memory(), entry(number), 0);
        Region region = device.tpt().replace(former, plan);
        device.pds().addRegions(former.pd(), -1);
        device.pds().addRegions(region.pd(), 1);
        note(region);
        return new Keyed(VerbsStatus.SUCCESS, number, region.lkey(), region.rkey());
    }

    VerbsStatus destroyRegion(int number) {
        Region region = device.tpt().byNumber(number);
        if (region == null) {
            return VerbsStatus.ENOENT;
        }
        if (region.boundWindows() > 0) {
            return VerbsStatus.EBUSY;
        }
        device.bill(device.pds().domain(region.pd()), EngineCost.COMMAND);
        device.tpt().destroy(region);
        device.pds().addRegions(region.pd(), -1);
        RegionContextLayout.publishRelease(device.contexts().memory(), entry(number), 0);
        return VerbsStatus.SUCCESS;
    }

    /**
     * The region with its segments resolved, or null if anything about it is wrong. Any thread: the
     * more segments a region has, the longer this takes, and the engine need not wait for it.
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
        long memorySize = device.contexts().memory().byteSize();
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
        device.bill(device.pds().domain(region.pd()), EngineCost.COMMAND);
        long entry = entry(region.number());
        note(entry, Field.DOMAIN, device.pds().domain(region.pd()));
        note(entry, Field.PD, region.pd());
        note(entry, Field.ACCESS, region.access());
        note(entry, Field.VIRTUAL_ADDRESS, region.virtualAddress());
        note(entry, Field.LENGTH_BYTES, region.lengthBytes());
        note(entry, Field.LKEY, region.lkey());
        note(entry, Field.RKEY, region.rkey());
        note(entry, Field.FIRST_ADDRESS, region.machineAddress(0));
        note(entry, Field.RUN_COUNT, region.runCount());
        MemorySegment memory = device.contexts().memory();
        RegionContextLayout.publishRelease(memory, entry, region.number());
    }

    private void note(long entry, Field field, long value) {
        RegionContextLayout.set(device.contexts().memory(), entry, field, value);
    }

    private long entry(int number) {
        ContextMemory contexts = device.contexts();
        return contexts.entry(Table.REGION, number - 1, RegionContextLayout.SIZE_BYTES);
    }
}
