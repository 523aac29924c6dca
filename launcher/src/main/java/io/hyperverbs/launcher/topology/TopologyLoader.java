package io.hyperverbs.launcher.topology;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Problem;
import io.hyperverbs.launcher.failure.Suggestion;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.domain.Executables;
import io.hyperverbs.vmm.domain.TimedFault;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads topology files. Every mistake comes with file, line, JSON path and a hint. */
public final class TopologyLoader {
    private static final long LEAST_MEMORY_BYTES = 1L << 20;
    private static final long MOST_MEMORY_BYTES = 1L << 40;

    private final String file;
    private final YamlTree tree;
    private final @Nullable Path folder;
    private final KnownPrograms known;
    private final List<Problem> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private TopologyLoader(String file, YamlTree tree, @Nullable Path folder, KnownPrograms known) {
        this.file = file;
        this.tree = tree;
        this.folder = folder;
        this.known = known;
    }

    /**
     * Reads a file.
     *
     * @param shown its name in messages
     * @param known what there is to name
     * @throws HvException NOT_FOUND without the file; INVALID_TOPOLOGY with all that is wrong in it
     */
    public static Topology load(Path file, String shown, KnownPrograms known) throws HvException {
        try {
            return parse(shown, Files.readString(file), file.toAbsolutePath().getParent(), known);
        } catch (NoSuchFileException e) {
            throw new HvException(
                    ExitCode.NOT_FOUND,
                    "no topology file " + shown,
                    "built-in: pair, star,n=N, ring,n=N; or see examples/");
        } catch (CharacterCodingException e) {
            throw new HvException(
                    ExitCode.INVALID_TOPOLOGY, List.of(new Problem(shown, 0, "", "is not UTF-8 text", "")));
        } catch (IOException e) {
            throw new HvException(ExitCode.NOT_FOUND, "cannot read " + shown + ": " + e, "");
        }
    }

    /** Reads a topology out of {@code text}; {@code file} is its name in messages. */
    public static Topology parse(String file, String text, KnownPrograms known) throws HvException {
        return parse(file, text, null, known);
    }

    private static Topology parse(String file, String text, @Nullable Path folder, KnownPrograms known)
            throws HvException {
        YamlTree tree = YamlTree.read(file, text);
        List<Problem> shape = new SchemaCheck().check(file, tree);
        if (!shape.isEmpty()) {
            throw new HvException(ExitCode.INVALID_TOPOLOGY, shape);
        }
        return new TopologyLoader(file, tree, folder, known).topology(text);
    }

    private Topology topology(String text) throws HvException {
        JsonNode root = tree.root();
        HcaReader reader = new HcaReader(root, this::report);
        List<HcaSpec> hcas = reader.hcas();
        List<Link> links = reader.links();
        JsonNode defaults = root.at("/defaults/guest");
        List<Guest> guests = guests(root.path("guests"), defaults);
        for (Guest guest : guests) {
            checkMemory(guest);
            checkHca(guest, reader);
        }
        new AppCheck(folder, known).check(guests, this::report);
        new AddressReader(this::report).check(guests);
        for (HcaSpec hca : hcas) {
            new PartitionReader(this::report).check(hca, Topology.on(hca, hcas, guests));
            QuotaSums.check(hca, reader.key(hca), Topology.on(hca, hcas, guests), this::report);
        }
        List<Guest> divided = Topology.divided(hcas, guests);
        for (HcaSpec hca : problems.isEmpty() ? hcas : List.<HcaSpec>of()) {
            checkShares(hca, reader.key(hca), Topology.on(hca, hcas, divided));
        }
        List<TopologyCheck> checks = checks(root.path("checks"));
        List<String> domains = new ArrayList<>(reader.names());
        guests.forEach(guest -> domains.add(guest.name()));
        List<String> hosts = reader.hosts().stream().map(HostSpec::name).toList();
        List<TimedFault> faults = new FaultReader(links, domains, hosts, this::report).faults(root.path("faults"));
        if (!problems.isEmpty()) {
            throw new HvException(ExitCode.INVALID_TOPOLOGY, problems);
        }
        Hosts all = new Hosts(reader.hosts(), List.of());
        return new Topology(root.path("name").asString(), hcas, links, divided, checks, warnings, text, all, faults);
    }

    private List<TopologyCheck> checks(JsonNode nodes) {
        List<TopologyCheck> checks = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            JsonNode node = nodes.get(i);
            String pointer = "/checks/" + i;
            String name = node.path("name").asString("check " + (i + 1));
            if (!node.has("isolate")) {
                warn(pointer, "checks: " + name + " is not evaluated by this version");
                continue;
            }
            TopologyCheck check = new TopologyCheck(
                    name, node.path("isolate").asString(), node.path("expect").asString(TopologyCheck.CONTAINED));
            checkAttack(pointer, check);
            checks.add(check);
        }
        return checks;
    }

    private void checkAttack(String pointer, TopologyCheck check) {
        List<String> attacks = known.attacks();
        if (!attacks.contains(check.isolate())) {
            String hint = Suggestion.hint(check.isolate(), attacks);
            report(
                    pointer + "/isolate",
                    "no attack is called '" + check.isolate() + "'",
                    hint.isEmpty() ? "hv isolate --list shows all" : hint);
        }
        List<String> statuses = new ArrayList<>(List.of(TopologyCheck.CONTAINED));
        for (VerbsStatus status : VerbsStatus.values()) {
            statuses.add(status.name());
        }
        if (!statuses.contains(check.expect())) {
            report(
                    pointer + "/expect",
                    "'" + check.expect() + "' is no status",
                    Suggestion.hint(check.expect(), statuses));
        }
    }

    private List<Guest> guests(JsonNode node, JsonNode defaults) {
        List<Guest> guests = new ArrayList<>();
        if (node.isIntegralNumber()) {
            for (int i = 1; i <= node.asInt(); i++) {
                guests.add(guest("g" + i, defaults, "/defaults/guest"));
            }
            return guests;
        }
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            JsonNode merged = merge(defaults, entry.getValue());
            guests.add(guest(entry.getKey(), merged, "/guests/" + entry.getKey()));
        }
        return guests;
    }

    /** The guest's own keys over the defaults; quotas key by key, the rest as a whole. */
    private static JsonNode merge(JsonNode defaults, JsonNode own) {
        if (!defaults.isObject() || !own.isObject()) {
            return own.isObject() ? own : defaults;
        }
        ObjectNode merged = ((ObjectNode) defaults).deepCopy();
        for (Map.Entry<String, JsonNode> entry : own.properties()) {
            JsonNode below = merged.get(entry.getKey());
            boolean byKey = entry.getKey().equals("quota") && below instanceof ObjectNode;
            merged.set(entry.getKey(), byKey ? merge(below, entry.getValue()) : entry.getValue());
        }
        return merged;
    }

    private Guest guest(String name, JsonNode node, String pointer) {
        JsonNode memory = node.path("memory");
        return new Guest(
                name,
                node.path("native").asBoolean(false),
                memory.isMissingNode() ? Guest.STANDARD_MEMORY_BYTES : bytes(memory, pointer),
                paths(node),
                share(node, pointer),
                node.path("trace").asBoolean(false),
                quota(node.path("quota"), pointer + "/quota"),
                app(node.path("app"), pointer + "/app"),
                node.path("hca").asString(""),
                node.path("events")
                        .asString(Guest.POSTS_EVENTS ? "posted" : "forwarded")
                        .equals("posted"),
                executables(node.path("executables"), pointer + "/executables"),
                new AddressReader(this::report).address(node.path("ip"), pointer + "/ip"),
                new PartitionReader(this::report).pkeys(node.path("pkeys"), pointer + "/pkeys", List.of()));
    }

    private Executables executables(JsonNode node, String pointer) {
        if (!node.isObject()) {
            return Executables.NONE;
        }
        JsonNode memory = node.path("memory");
        return new Executables(
                node.path("count").asInt(Guest.STANDARD_EXECUTABLES.count()),
                memory.isMissingNode() ? Guest.STANDARD_EXECUTABLES.memoryBytes() : bytes(memory, pointer + "/memory"));
    }

    /** The path of contexts that name none, then the others. */
    private static String paths(JsonNode node) {
        Set<String> paths = new LinkedHashSet<>();
        paths.add(node.path("path").asString("bypass"));
        node.path("more-paths").forEach(path -> paths.add(path.asString()));
        return String.join(",", paths);
    }

    private Guest.Share share(JsonNode node, String pointer) {
        JsonNode rate = node.path("rate");
        JsonNode bytes = rate.path("bytes");
        long perSecond = bytes.isMissingNode() ? 0 : bytes(bytes, pointer + "/rate/bytes");
        if (perSecond == 0 && !bytes.isMissingNode()) {
            report(pointer + "/rate/bytes", "rate of no bytes", "leave it out for no limit");
        }
        return new Guest.Share(
                node.path("weight").asInt(1), perSecond, rate.path("messages").asLong(0));
    }

    private Map<String, Long> quota(JsonNode node, String pointer) {
        Map<String, Long> quota = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            quota.put(entry.getKey(), bytes(entry.getValue(), pointer + "/" + entry.getKey()));
        }
        return quota;
    }

    private Optional<Guest.App> app(JsonNode node, String pointer) {
        if (!node.isObject()) {
            return Optional.empty();
        }
        boolean hasExec = node.has("exec");
        if (hasExec == node.has("main") || (hasExec && node.has("args"))) {
            report(
                    pointer,
                    hasExec ? "app: exec stands alone" : "app: no main and no exec",
                    "main and args for a Java program, or exec: [ibv_devinfo, -v] for an executable");
            return Optional.empty();
        }
        return Optional.of(
                hasExec
                        ? Guest.App.executable(texts(node.path("exec")))
                        : new Guest.App(node.path("main").asString(), texts(node.path("args"))));
    }

    private static List<String> texts(JsonNode node) {
        List<String> texts = new ArrayList<>();
        node.forEach(text -> texts.add(text.asString()));
        return texts;
    }

    private long bytes(JsonNode node, String pointer) {
        try {
            return Units.bytes(node.asString());
        } catch (IllegalArgumentException e) {
            report(pointer, String.valueOf(e.getMessage()), "for example 64MiB");
            return Guest.STANDARD_MEMORY_BYTES;
        }
    }

    /** A guest without a queue pair is of no use, unless the file says so itself. */
    private void checkShares(HcaSpec device, String key, List<Guest> guests) {
        for (Guest guest : guests) {
            for (Map.Entry<String, Long> quota : guest.quota().entrySet()) {
                String own = "/guests/" + guest.name() + "/quota/" + quota.getKey();
                boolean stated = !tree.root().at(own).isMissingNode()
                        || tree.root().at("/defaults/guest/quota").has(quota.getKey());
                if (quota.getValue() == 0 && !stated) {
                    report(
                            "/guests/" + guest.name(),
                            "the quotas of others leave no "
                                    + quota.getKey()
                                    + " of "
                                    + QuotaSums.words(device, key)
                                    + "'s "
                                    + device.limitOf(quota.getKey())
                                    + " for "
                                    + guest.name(),
                            QuotaSums.raise(key, quota.getKey()));
                    return;
                }
            }
        }
    }

    /** A guest is on an HCA that is there, and where there are several it is not called like one. */
    private void checkHca(Guest guest, HcaReader reader) {
        List<String> names = reader.names();
        if ((names.size() > 1 || !reader.hosts().isEmpty()) && names.contains(guest.name())) {
            report("/guests/" + guest.name(), "name '" + guest.name() + "' is that of an HCA", "choose another");
        }
        if (!guest.hca().isEmpty() && !names.contains(guest.hca())) {
            String own = "/guests/" + guest.name() + "/hca";
            report(
                    tree.root().at(own).isMissingNode() ? "/defaults/guest/hca" : own,
                    "hca: no HCA " + guest.hca(),
                    reader.hint(guest.hca()));
        }
    }

    private void checkMemory(Guest guest) {
        long bytes = guest.memoryBytes();
        if (bytes < LEAST_MEMORY_BYTES || bytes > MOST_MEMORY_BYTES) {
            String own = "/guests/" + guest.name() + "/memory";
            report(
                    tree.root().at(own).isMissingNode() ? "/defaults/guest/memory" : own,
                    "memory " + Units.formatBytes(bytes) + ", must be 1MiB to 1024GiB",
                    "");
        }
    }

    private void report(String pointer, String what, String hint) {
        Problem problem = new Problem(file, tree.line(pointer), YamlTree.dotted(pointer), what, hint);
        // What the defaults say wrong is wrong of each guest.
        if (!problems.contains(problem)) {
            problems.add(problem);
        }
    }

    private void warn(String pointer, String what) {
        String warning = file + ":" + tree.line(pointer) + ": " + what;
        if (!warnings.contains(warning)) {
            warnings.add(warning);
        }
    }
}
