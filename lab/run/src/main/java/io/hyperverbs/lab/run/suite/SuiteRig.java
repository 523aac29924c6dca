package io.hyperverbs.lab.run.suite;

import io.hyperverbs.lab.run.bench.BenchRun;
import io.hyperverbs.lab.run.bench.HopProbe;
import io.hyperverbs.lab.run.mpi.JobDomains;
import io.hyperverbs.lab.run.mpi.JobRunner;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.vmm.domain.MachineException;
import java.io.IOException;

/** What figures are measured with. */
public interface SuiteRig {
    /** What is done on a machine. */
    interface Work<T> {
        T on(RunningMachine machine, Progress progress)
                throws HvException, MachineException, InterruptedException, IOException;
    }

    /** How long figures are measured. */
    SuiteTerms terms();

    /** A name for a machine of this run, another one each time. */
    String machineName();

    /** Starts a machine, does the work and takes the machine down, whatever came of it. */
    <T> T on(Topology topology, Work<T> work) throws HvException, InterruptedException, IOException;

    /** Probes of the hop between cores. */
    default BenchRun.Hop hop() {
        return HopProbe::measureNanos;
    }

    /** What is done by jobs. */
    interface JobWork<T> {
        T with(JobRunner jobs, Progress progress) throws HvException, InterruptedException, IOException;
    }

    /** As {@link #on}, with domains for jobs. */
    <T> T jobs(JobDomains domains, JobWork<T> work) throws HvException, InterruptedException, IOException;
}
