package io.hyperverbs.launcher.hosts;

import io.hyperverbs.launcher.machine.MachineLauncher;
import io.hyperverbs.launcher.machine.Program;
import io.hyperverbs.launcher.node.NodeTls;
import io.hyperverbs.launcher.node.ProgramFiles;
import io.hyperverbs.launcher.node.wire.Bundle;
import io.hyperverbs.launcher.node.wire.GuestProgram;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.Topology;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * What each host has to start.
 *
 * @param file name of the topology's file in messages
 * @param programs what guests run, by name
 */
record Bundles(Topology topology, String file, Map<String, Program> programs, MachineLauncher.Mode mode) {
    Bundles {
        programs = Map.copyOf(programs);
    }

    /** That of one host, with a new certificate for it. */
    Bundle of(String host, TopologyCertificates certificates) throws IOException {
        NodeTls.Identity identity = certificates.host(host);
        Bundle.Builder bundle = Bundle.newBuilder()
                .setFile(file)
                .setTopology(topology.source())
                .setHost(host)
                .setAuthority(certificates.authority())
                .setCertificate(identity.certificate())
                .setKey(identity.key())
                .setInsecure(mode.insecure())
                .setSandbox(mode.sandbox().orElse(""))
                .setWithoutGroups(!mode.groups())
                .setTimeoutMillis(mode.timeout().toMillis());
        for (Guest guest : topology.part(host).guests()) {
            Program program = programs.get(guest.name());
            if (program != null) {
                bundle.addPrograms(packed(guest.name(), program));
            }
        }
        return bundle.build();
    }

    private static GuestProgram packed(String guest, Program program) throws IOException {
        GuestProgram.Builder packed = GuestProgram.newBuilder()
                .setGuest(guest)
                .setMainClass(program.mainClass())
                .addAllArgs(program.args())
                .setBrief(program.brief());
        for (int i = 0; i < program.files().size(); i++) {
            Path place = program.files().get(i);
            String entry = i + "/" + place.getFileName();
            packed.addClassPath(entry).addAllFiles(ProgramFiles.pack(place, entry));
        }
        return packed.build();
    }
}
