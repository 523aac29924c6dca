package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.context.HcaView;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.output.Json;
import io.hyperverbs.launcher.output.Times;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.control.MachineReport;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.DomainState;
import io.hyperverbs.vmm.domain.FaultCounts;
import io.hyperverbs.vmm.domain.MachineException;
import io.hyperverbs.vmm.hypercall.SessionReport;
import io.hyperverbs.vmm.hypercall.SessionReport.QuotaUse;
import io.hyperverbs.vmm.hypercall.SessionReport.Rejection;
import io.hyperverbs.vmm.io.AttributeText;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code hv inspect}. */
@Command(
        name = "inspect",
        description = "Shows all there is to know of a machine, or of one domain with its queue pairs,"
                + " completion queues and memory regions as the HCA's memory has them.",
        footer = {"  hv inspect", "  hv inspect a --format json"})
public final class InspectCommand extends HvCommand {
    /** Numbers that people write as the verb log does; in JSON they are numbers. */
    private static final Set<String> NUMBERS_24 = Set.of("lqpn", "rqpn", "srqn");

    @Parameters(paramLabel = "DOM", arity = "0..1", description = "Domain (default: the machine).")
    String domain = "";

    public InspectCommand(CommandContext context) {
        super(context);
    }

    @Override
    String subject() {
        return domain;
    }

    @Override
    public Integer call() throws HvException {
        try (RunningMachine machine = new Machines(context()).running()) {
            MachineReport status = machine.client().status();
            List<String> names = MachineHca.names(status);
            ObjectNode object = Json.object().put("schema", "hv.inspect/1");
            object.put("topology", status.topology()).put("vmm_pid", status.vmmPid());
            object.put("sandbox_tier", status.sandboxTier());
            object.put("state_folder", machine.folder().path().toString());
            FaultCounts faults = status.faults();
            if (faults.planned() > 0) {
                object.putObject("faults")
                        .put("planned", faults.planned())
                        .put("done", faults.done())
                        .put("failed", faults.failed());
            }
            ArrayNode domains = object.putArray("domains");
            Map<String, HcaView> hcas = new HashMap<>();
            for (String name : names) {
                hcas.put(name, HcaView.read(machine.client(), name));
            }
            long now = System.nanoTime();
            List<DomainReport> chosen = domain.isEmpty() ? status.domains() : List.of(Machines.domain(machine, domain));
            for (DomainReport report : chosen) {
                ObjectNode node = domains.addObject();
                HcaView hca = hcas.get(report.hca());
                describe(node, report, names.size() > 1);
                if (hca != null) {
                    addObjects(node, report, hca, new ReceiveWait(hca.queuePairs(), status.domains(), now));
                }
                if (report.kind() != DomainKind.BACKEND) {
                    Quotas.addTo(node, status.description(), report.name(), report.memoryBytes());
                    if (report.state() == DomainState.RUNNING) {
                        addUsed(node, machine, report);
                        CacheWords.addTo(node, machine, report.name());
                    }
                }
            }
            if (domain.isEmpty()) {
                object.put("description", said(status.description()));
            }
            print(object);
        } catch (MachineException e) {
            throw Failures.of(e);
        }
        return ExitCode.OK.number();
    }

    /** What of its quotas is in use, and what it was refused, as the backend domain counts. */
    private static void addUsed(ObjectNode node, RunningMachine machine, DomainReport report) {
        SessionReport session;
        try {
            session = machine.client().describeSession(report.name(), 0);
        } catch (MachineException e) {
            // The domain has ended by now, or the backend does not answer: then nothing is said.
            return;
        }
        ObjectNode used = node.putObject("quota_used");
        for (QuotaUse use : session.quotas()) {
            used.put(use.quota(), use.used());
        }
        ObjectNode rejected = node.putObject("rejected");
        for (Rejection one : session.rejections()) {
            rejected.put(one.act(), one.count());
        }
    }

    private static void describe(ObjectNode node, DomainReport report, boolean several) {
        node.put("name", report.name()).put("id", report.id());
        node.put("kind", report.kind().name().toLowerCase(Locale.ROOT));
        if (several) {
            node.put("device", report.hca());
        }
        node.put("state", StateWords.state(report.state()).value().toString());
        node.put("pid", report.pid() == 0 ? null : report.pid());
        node.put("memory_bytes", report.memoryBytes());
        long started = report.startedEpochMillis();
        node.put("started", started == 0 ? null : Times.iso(Instant.ofEpochMilli(started)));
        node.put("exit_code", report.state().ended() ? report.exitCode() : null);
        node.put("message", said(report.message()));
        node.put("sandbox_tier", said(report.sandboxTier()));
        node.put("folder", said(report.folder())).put("log", said(report.logFile()));
        node.put("network", said(report.network()));
    }

    private static void addObjects(ObjectNode node, DomainReport report, HcaView hca, ReceiveWait waits) {
        ArrayNode qps = node.putArray("queue_pairs");
        for (HcaView.Qp qp : hca.queuePairs()) {
            if (qp.domain() == report.id()) {
                ObjectNode one = qps.addObject();
                one.put("lqpn", qp.qpn()).put("rqpn", qp.peerQpn()).put("state", qp.state());
                waits.addTo(one, qp);
                one.put("pd", qp.pd()).put("send_cq", qp.sendCq()).put("receive_cq", qp.receiveCq());
                one.put("sent_messages", qp.sentMessages()).put("sent_bytes", qp.sentBytes());
                one.put("received_messages", qp.receivedMessages());
                one.put("received_bytes", qp.receivedBytes()).put("errors", qp.errors());
            }
        }
        ArrayNode cqs = node.putArray("completion_queues");
        for (HcaView.Cq cq : hca.completionQueues()) {
            if (cq.domain() == report.id()) {
                cqs.addObject()
                        .put("cqn", cq.number())
                        .put("entries", cq.entries())
                        .put("queue_pairs", cq.queuePairs())
                        .put("overrun", cq.broken());
            }
        }
        ArrayNode srqs = node.putArray("shared_receive_queues");
        for (HcaView.Srq srq : hca.sharedReceiveQueues()) {
            if (srq.domain() == report.id()) {
                srqs.addObject()
                        .put("srqn", srq.srqn())
                        .put("pd", srq.pd())
                        .put("entries", srq.entries())
                        .put("limit", srq.limit())
                        .put("queue_pairs", srq.queuePairs())
                        .put("broken", srq.broken());
            }
        }
        ArrayNode regions = node.putArray("memory_regions");
        for (HcaView.Region region : hca.regions()) {
            if (region.domain() == report.id()) {
                // Keys are what protects a region; they are not for display.
                regions.addObject()
                        .put("mrn", region.number())
                        .put("pd", region.pd())
                        .put("length_bytes", region.lengthBytes())
                        .put("access", AttributeText.rights(region.access()));
            }
        }
    }

    /** Null for what a domain has none of. */
    private static @Nullable String said(String word) {
        return word.isEmpty() ? null : word;
    }

    private void print(ObjectNode object) {
        Format format = context().options().format();
        if (format == Format.JSON || format == Format.JSONL) {
            context().print(object);
            return;
        }
        StringBuilder text = new StringBuilder();
        appendTo(text, object, "");
        context().folded(text.toString());
    }

    /** Indented lines of {@code key: value}; objects without objects inside stay on one line. */
    private static void appendTo(StringBuilder text, JsonNode node, String indent) {
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            JsonNode value = entry.getValue();
            if (value.isNull() || (value.isObject() && words(value).isEmpty())) {
                // Programs want every key; people only what there is.
                continue;
            }
            text.append(indent).append(entry.getKey().replace('_', ' ')).append(':');
            if (value.isObject()) {
                text.append(' ').append(words(value)).append('\n');
                continue;
            }
            if (!value.isArray()) {
                String shown = value.asString();
                text.append(shown.contains("\n") ? "\n" + shown.indent(4 + indent.length()) : " " + shown);
                text.append('\n');
                continue;
            }
            text.append(value.isEmpty() ? " none\n" : "\n");
            for (JsonNode item : value) {
                boolean flat =
                        item.properties().stream().noneMatch(e -> e.getValue().isArray());
                text.append(indent).append("  - ");
                if (flat) {
                    text.append(words(item)).append('\n');
                } else {
                    text.append('\n');
                    appendTo(text, item, indent + "    ");
                }
            }
        }
    }

    /** {@code key value key value}. */
    private static String words(JsonNode object) {
        return String.join(
                "  ",
                object.properties().stream()
                        .filter(entry -> !entry.getValue().isNull())
                        .map(entry -> entry.getKey() + " " + word(entry))
                        .toList());
    }

    private static String word(Map.Entry<String, JsonNode> entry) {
        if (entry.getKey().equals(ReceiveWait.KEY)) {
            return ReceiveWait.words(entry.getValue());
        }
        return NUMBERS_24.contains(entry.getKey())
                ? AttributeText.number24(entry.getValue().asLong())
                : entry.getValue().asString();
    }
}
