package io.hyperverbs.launcher.topology;

import io.hyperverbs.backend.session.Quota;
import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.backend.session.SessionSettings;
import io.hyperverbs.vmm.domain.Executables;
import io.hyperverbs.vmm.domain.GuestAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A domain of a topology.
 *
 * @param nativeDomain runs inside the device domain
 * @param path bypass, forwarded or forwarded-unary; or several with commas, which its contexts may
 *     open on, that of contexts that name none first
 * @param quota by key ({@code qp}, {@code registered}...); registered in bytes
 * @param share of the HCA's engine
 * @param app the program it runs; without one it waits for {@code hv run --in}
 * @param hca name of the HCA that it is on; empty for the first of its topology
 * @param executables its room for executables of the computer
 * @param address of its own for IP over InfiniBand, if it has one
 * @param pkeys P_Keys that its queue pairs may have, of those of its HCA; empty for all
 * @param postsEvents whether the HCA posts events into its memory, instead of forwarding them
 */
public record Guest(
        String name,
        boolean nativeDomain,
        long memoryBytes,
        String path,
        Share share,
        boolean trace,
        Map<String, Long> quota,
        Optional<App> app,
        String hca,
        boolean postsEvents,
        Executables executables,
        Optional<GuestAddress> address,
        List<Integer> pkeys) {
    /** RAM of a guest whose topology says nothing else. */
    public static final long STANDARD_MEMORY_BYTES = 64L << 20;

    /** Of a guest whose topology says no more than that it has room for executables. */
    public static final Executables STANDARD_EXECUTABLES = new Executables(2, 128L << 20);

    /** Of a guest whose topology says nothing else. */
    public static final boolean POSTS_EVENTS = true;

    public Guest {
        quota = Map.copyOf(quota);
        pkeys = List.copyOf(pkeys);
    }

    /** One on the first HCA of its topology. */
    public Guest(
            String name,
            boolean nativeDomain,
            long memoryBytes,
            String path,
            Share share,
            boolean trace,
            Map<String, Long> quota,
            Optional<App> app) {
        this(
                name,
                nativeDomain,
                memoryBytes,
                path,
                share,
                trace,
                quota,
                app,
                "",
                POSTS_EVENTS,
                Executables.NONE,
                Optional.empty(),
                List.of());
    }

    /**
     * A program with its arguments.
     *
     * @param main short name, class, JAR or {@code .java} file; of an executable its path, or name to be looked for
     * @param isExecutable whether it is one of the computer's executables
     */
    public record App(String main, List<String> args, boolean isExecutable) {
        public App {
            args = List.copyOf(args);
        }

        public App(String main, List<String> args) {
            this(main, args, false);
        }

        /** An executable of the computer, as {@code hv exec} takes it. */
        public static App executable(List<String> command) {
            return new App(command.getFirst(), command.subList(1, command.size()), true);
        }

        /** As a line of a shell shows it. */
        public String line() {
            return (main + " " + String.join(" ", args)).strip();
        }
    }

    /**
     * What it gets of the HCA's engine.
     *
     * @param bytesPerSecond 0 for no limit
     * @param messagesPerSecond 0 for no limit
     */
    public record Share(int weight, long bytesPerSecond, long messagesPerSecond) {
        public static final Share STANDARD = new Share(1, 0, 0);
    }

    /** Its weight beside other guests. */
    public int weight() {
        return share.weight();
    }

    /** A guest with the standard settings that runs nothing yet. */
    public static Guest named(String name) {
        return new Guest(
                name, false, STANDARD_MEMORY_BYTES, "bypass", Share.STANDARD, false, Map.of(), Optional.empty());
    }

    public Guest asNative() {
        return with(copy -> copy.nativeDomain = true);
    }

    /** The same guest, with contexts that open on {@code changed}. */
    public Guest onPath(String changed) {
        return with(copy -> copy.path = changed);
    }

    public Guest withMemory(long changedBytes) {
        return with(copy -> copy.memoryBytes = changedBytes);
    }

    /** The same guest; a kind that is not named has its standard quota. */
    public Guest withQuota(Map<String, Long> changed) {
        return with(copy -> copy.quota = changed);
    }

    /** The same guest with another share of the engine. */
    public Guest withShare(Share changed) {
        return with(copy -> copy.share = changed);
    }

    /** The same guest with events posted, or forwarded. */
    public Guest withPostedEvents(boolean changed) {
        return with(copy -> copy.postsEvents = changed);
    }

    /** The same guest on another HCA. */
    public Guest onHca(String other) {
        return with(copy -> copy.hca = other);
    }

    /** The same guest, whose queue pairs may have these P_Keys of its HCA; none: all. */
    public Guest withPkeys(List<Integer> changed) {
        return with(copy -> copy.pkeys = changed);
    }

    public Guest running(String main, String... args) {
        return with(copy -> copy.app = Optional.of(new App(main, List.of(args))));
    }

    /** The same guest but for what {@code change} sets. */
    private Guest with(Consumer<Copy> change) {
        Copy copy = new Copy(this);
        change.accept(copy);
        return new Guest(
                name,
                copy.nativeDomain,
                copy.memoryBytes,
                copy.path,
                copy.share,
                trace,
                copy.quota,
                copy.app,
                copy.hca,
                copy.postsEvents,
                executables,
                address,
                copy.pkeys);
    }

    /** What a changed guest may differ in. */
    private static final class Copy {
        boolean nativeDomain;
        long memoryBytes;
        String path;
        Share share;
        Map<String, Long> quota;
        Optional<App> app;
        String hca;
        boolean postsEvents;
        List<Integer> pkeys;

        Copy(Guest guest) {
            this.nativeDomain = guest.nativeDomain;
            this.memoryBytes = guest.memoryBytes;
            this.path = guest.path;
            this.share = guest.share;
            this.quota = guest.quota;
            this.app = guest.app;
            this.hca = guest.hca;
            this.postsEvents = guest.postsEvents;
            this.pkeys = guest.pkeys;
        }
    }

    /** All its quotas: those of the topology, and the standard ones besides. */
    public Quota allQuotas() {
        try {
            return Quota.of(settings(), memoryBytes + executables.count() * executables.memoryBytes());
        } catch (Refusal e) {
            // The schema has no other keys, and no other values.
            throw new IllegalStateException("quota of " + name, e);
        }
    }

    /** As the VMM and the backend understand it. */
    public Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("path", path);
        settings.put("events", postsEvents ? "posted" : "forwarded");
        settings.put("weight", Integer.toString(share.weight()));
        if (share.bytesPerSecond() > 0) {
            settings.put("rate.bytes", Long.toString(share.bytesPerSecond()));
        }
        if (share.messagesPerSecond() > 0) {
            settings.put("rate.messages", Long.toString(share.messagesPerSecond()));
        }
        settings.put("trace", Boolean.toString(trace));
        if (executables.count() > 0) {
            settings.put(Executables.COUNT_SETTING, Integer.toString(executables.count()));
            settings.put(Executables.MEMORY_SETTING, Long.toString(executables.memoryBytes()));
        }
        address.ifPresent(ip -> {
            settings.put(GuestAddress.SETTING, ip.toString());
            settings.put(GuestAddress.PKEY_SETTING, "0x%04x".formatted(ip.pkey()));
            settings.put(GuestAddress.MODE_SETTING, ip.mode());
        });
        if (!pkeys.isEmpty()) {
            settings.put(
                    SessionSettings.PKEYS,
                    pkeys.stream().map("0x%04x"::formatted).collect(Collectors.joining(",")));
        }
        quota.forEach((key, value) -> settings.put("quota." + key, Long.toString(value)));
        return settings;
    }
}
