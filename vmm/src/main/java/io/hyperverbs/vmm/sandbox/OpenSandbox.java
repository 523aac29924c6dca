package io.hyperverbs.vmm.sandbox;

import java.util.ArrayList;
import java.util.List;

/** No sandbox at all: for who said that isolation does not matter. */
final class OpenSandbox implements Sandbox {
    @Override
    public SandboxTier tier() {
        return SandboxTier.NONE;
    }

    @Override
    public String description() {
        return "none";
    }

    @Override
    public String maker() {
        return "none";
    }

    @Override
    public List<String> command(ConfinedJvm jvm) {
        List<String> command = new ArrayList<>(GuestView.dieWithParent());
        command.addAll(GuestView.jvmOutside(jvm));
        return command;
    }
}
