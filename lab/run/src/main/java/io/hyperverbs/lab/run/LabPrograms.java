package io.hyperverbs.lab.run;

import io.hyperverbs.lab.attacks.catalogue.Isolation;
import io.hyperverbs.lab.bench.PingPong;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.KnownPrograms;
import java.util.List;
import java.util.Optional;

/** What topologies may name of the lab. Stateless. */
public final class LabPrograms implements KnownPrograms {
    @Override
    public List<String> attacks() {
        return Isolation.names();
    }

    @Override
    public Optional<String> peer(Guest.App app) {
        return app.main().equals(PingPong.WORD) ? PingPong.peer(app.args()) : Optional.empty();
    }
}
