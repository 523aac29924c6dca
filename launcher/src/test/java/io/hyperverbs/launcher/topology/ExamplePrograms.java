package io.hyperverbs.launcher.topology;

import io.hyperverbs.lab.attacks.catalogue.Isolation;
import io.hyperverbs.lab.bench.PingPong;
import java.util.List;
import java.util.Optional;

/** Those of the lab, as examples name them. */
final class ExamplePrograms implements KnownPrograms {
    @Override
    public List<String> attacks() {
        return Isolation.names();
    }

    @Override
    public Optional<String> peer(Guest.App app) {
        return app.main().equals(PingPong.WORD) ? PingPong.peer(app.args()) : Optional.empty();
    }
}
