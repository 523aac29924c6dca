package io.hyperverbs.launcher.load;

import io.hyperverbs.launcher.context.HcaView;
import io.hyperverbs.launcher.load.DomainLoad.OnHca;
import io.hyperverbs.launcher.load.HcaCounts.Indexes;
import io.hyperverbs.launcher.load.HcaCounts.Queue;
import io.hyperverbs.launcher.load.HcaCounts.Sum;
import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.control.MachineReport;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.DomainState;
import io.hyperverbs.vmm.domain.MachineException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Compares the counters of one machine at two looks. A look copies the tables of the HCAs' context memory that have
 * counters, asks the device domain once for each guest how many messages it had from it, and reads the processor time of
 * processes from the kernel: no guest is asked, and no engine notices.
 */
public final class LoadMeter {
    private static final String VMM = "vmm";
    private static final double NANOS = 1e9;

    /** At one moment; {@code forwarded} and {@code cpu} by a domain's id, the VMM's is 0. */
    private record Look(
            long nanos,
            MachineReport status,
            Map<String, HcaCounts> hcas,
            Map<Integer, Long> forwarded,
            Map<Integer, Duration> cpu) {}

    private final MachineClient client;
    private @Nullable Look last;

    public LoadMeter(MachineClient client) {
        this.client = client;
    }

    /**
     * Looks, and says what came since the last look; of the first all that the counters have, without a rate.
     *
     * @return the VMM, then domains in the machine's order; empty at the first look
     * @throws MachineException the machine does not answer, or is gone
     */
    public List<DomainLoad> look() throws MachineException {
        Look before = last;
        Look now = take();
        last = now;
        if (before == null) {
            return List.of();
        }
        double seconds = Math.max(1, now.nanos - before.nanos) / NANOS;
        List<DomainLoad> loads = new ArrayList<>();
        loads.add(new DomainLoad(VMM, DomainState.RUNNING, cpu(before, now, 0, seconds), null));
        for (DomainReport domain : now.status.domains()) {
            OnHca onHca = domain.kind() == DomainKind.BACKEND ? null : onHca(before, now, domain, seconds);
            loads.add(new DomainLoad(domain.name(), domain.state(), cpu(before, now, domain.id(), seconds), onHca));
        }
        return loads;
    }

    private Look take() throws MachineException {
        long nanos = System.nanoTime();
        MachineReport status = client.status();
        Map<String, HcaCounts> hcas = new HashMap<>();
        Map<Integer, Long> forwarded = new HashMap<>();
        Map<Integer, Duration> cpu = new HashMap<>();
        addCpu(cpu, 0, status.vmmPid());
        for (DomainReport domain : status.domains()) {
            if (domain.kind() == DomainKind.BACKEND) {
                hcas.put(domain.hca(), new HcaCounts(HcaView.read(client, domain.hca(), HcaCounts.TABLES)));
            } else if (domain.state() == DomainState.RUNNING) {
                forwarded(domain).ifPresent(messages -> forwarded.put(domain.id(), messages));
            }
            if (!domain.state().ended()) {
                addCpu(cpu, domain.id(), domain.pid());
            }
        }
        return new Look(nanos, status, hcas, forwarded, cpu);
    }

    /** 0 is no process. */
    private static void addCpu(Map<Integer, Duration> cpu, int domain, long pid) {
        if (pid != 0) {
            ProcessHandle.of(pid)
                    .flatMap(process -> process.info().totalCpuDuration())
                    .ifPresent(used -> cpu.put(domain, used));
        }
    }

    private Optional<Long> forwarded(DomainReport domain) {
        try {
            // No id is larger, so that the answer is short.
            var calls = client.describeSession(domain.name(), Integer.MAX_VALUE).calls();
            return Optional.of(calls.control() + calls.data());
        } catch (MachineException e) {
            // It has ended by now, or its device domain does not answer.
            return Optional.empty();
        }
    }

    private static @Nullable Double cpu(Look before, Look now, int domain, double seconds) {
        Duration began = before.cpu.get(domain);
        Duration ended = now.cpu.get(domain);
        return began == null || ended == null
                ? null
                : 100 * Math.max(0, ended.minus(began).toNanos()) / NANOS / seconds;
    }

    private static OnHca onHca(Look before, Look now, DomainReport domain, double seconds) {
        HcaCounts counts = now.hcas.get(domain.hca());
        HcaCounts former = before.hcas.get(domain.hca());
        if (counts == null || former == null) {
            return new OnHca(0, 0, 0, 0, 0, 0, null, 0, 0);
        }
        long wqes = 0;
        long cqes = 0;
        long events = 0;
        for (Map.Entry<Queue, Indexes> queue : counts.queues().entrySet()) {
            Indexes is = queue.getValue();
            if (is.domain() != domain.id()) {
                continue;
            }
            Indexes was = former.queues().getOrDefault(queue.getKey(), new Indexes(domain.id(), 0, 0, 0, 0));
            wqes += advance(was.sendWqes(), is.sendWqes()) + advance(was.receiveWqes(), is.receiveWqes());
            cqes += advance(was.cqes(), is.cqes());
            events += advance(was.events(), is.events());
        }
        Sum sum = counts.of(domain.id());
        Long messages = now.forwarded.get(domain.id());
        return new OnHca(
                sum.queuePairs,
                sum.completionQueues,
                sum.regions,
                wqes / seconds,
                cqes / seconds,
                // It shrinks when a context is closed, whose part nobody has any more.
                Math.max(0, sum.bytes - former.of(domain.id()).bytes) / seconds,
                messages == null
                        ? null
                        : Math.max(0, messages - before.forwarded.getOrDefault(domain.id(), 0L)) / seconds,
                events / seconds,
                sum.errors);
    }

    /** Steps of an index that wraps; one that went back is of another queue, or was reset, and began at 0. */
    static long advance(int was, int is) {
        int steps = is - was;
        return steps >= 0 ? steps : Integer.toUnsignedLong(is);
    }
}
