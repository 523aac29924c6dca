package io.hyperverbs.lab.run.suite.upper;

import io.hyperverbs.lab.run.ip.IpCell;
import io.hyperverbs.lab.run.ip.IpMachine;
import io.hyperverbs.lab.run.ip.IpPair;
import io.hyperverbs.lab.run.ip.IpWarmUp;
import io.hyperverbs.lab.run.suite.Figure;
import io.hyperverbs.lab.run.suite.FigureCell;
import io.hyperverbs.lab.run.suite.FigureInfo;
import io.hyperverbs.lab.run.suite.FigureRound;
import io.hyperverbs.lab.run.suite.SuiteRig;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.vmm.domain.GuestAddress;
import io.hyperverbs.vmm.posix.TunDevice;
import io.hyperverbs.vmm.sandbox.SandboxProbe;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Streams of TCP over IP over InfiniBand by size of the writes. */
final class IpFigure implements Figure {
    static final IpFigure DATAGRAM = new IpFigure("ip", GuestAddress.DATAGRAM, "datagrams of 4 KiB");
    static final IpFigure CONNECTED =
            new IpFigure("ip-connected", GuestAddress.CONNECTED, "connections, 64 KiB a packet");

    private static final List<Integer> QUICK_SIZES = List.of(65536, 1 << 20);
    private static final List<Integer> SIZES = List.of(1024, 4096, 16384, 65536, 1 << 20);

    private final String name;
    private final String mode;
    private final String words;

    private IpFigure(String name, String mode, String words) {
        this.name = name;
        this.mode = mode;
        this.words = words;
    }

    @Override
    public FigureInfo info() {
        return new FigureInfo(
                name,
                "IP over InfiniBand by " + words,
                "Liu 2006 §6.5, Figure 16",
                "bytes",
                "MiB/s",
                "native",
                "A stream of TCP between the networks of two domains, by the size of its writes. Both sockets are in"
                        + " hv, the same on each path.");
    }

    @Override
    public Optional<String> obstacle() {
        if (!SandboxProbe.isRoot()) {
            return Optional.of("only root has sockets in the networks of its guests");
        }
        return TunDevice.isHere() ? Optional.empty() : Optional.of(TunDevice.FILE + " is not there");
    }

    @Override
    public List<FigureRound> run(SuiteRig rig) throws HvException, InterruptedException, IOException {
        return rig.on(IpMachine.topology(rig.machineName(), mode, "hv bench suite"), (machine, progress) -> {
            Map<String, IpPair> pairs = new LinkedHashMap<>();
            IpMachine.pairs(machine).forEach(pair -> pairs.put(pair.word(), pair));
            List<IpCell> cells = rig.terms().pick(QUICK_SIZES, SIZES).stream()
                    .map(size -> new IpCell(IpCell.Kind.STREAM, size))
                    .toList();
            IpWarmUp.run(cells, List.copyOf(pairs.values()), progress);
            List<JobRounds.Part> parts =
                    cells.stream().map(cell -> part(cell, pairs)).toList();
            return JobRounds.of(rig, List.copyOf(pairs.keySet()))
                    .run(rig.terms().rounds(), parts, progress);
        });
    }

    private static JobRounds.Part part(IpCell stream, Map<String, IpPair> pairs) {
        int size = stream.sizeBytes();
        return new JobRounds.Part("writes of " + size, path -> {
            IpPair pair = pairs.get(path);
            if (pair == null) {
                throw new IllegalStateException("no pair on the path " + path);
            }
            return List.of(new JobRounds.Value(new FigureCell("stream", size), path, stream.measure(pair)));
        });
    }
}
