package io.hyperverbs.tests.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.wire.PacketOpcode;
import io.hyperverbs.hca.wire.PacketOpcode.Header;
import io.hyperverbs.hca.wire.PacketOpcode.Payload;
import io.hyperverbs.lab.ledger.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** docs/wire.md has the table of opcodes as it is in the code. */
class WirePageTest {
    private static final List<String> TRANSPORTS = List.of("RC", "UC", "UD", "XRC");
    private static final Map<Header, String> HEADERS = Map.of(
            Header.RETH, "RETH",
            Header.ATOMIC_ETH, "AtomicETH",
            Header.AETH, "AETH",
            Header.ATOMIC_ACK_ETH, "AtomicAckETH",
            Header.IMM_DT, "ImmDt",
            Header.IETH, "IETH");
    private static final Map<Payload, String> PAYLOADS = Map.of(
            Payload.NONE, "none",
            Payload.FULL_MTU, "MTU",
            Payload.ONE_TO_MTU, "1 to MTU",
            Payload.ZERO_TO_MTU, "0 to MTU");

    @Test
    void hasEveryOpcodeWithItsHeaders() throws IOException {
        List<String> expected = new ArrayList<>();
        for (String operation : operations()) {
            expected.add(row(operation));
        }

        List<String> rows = Files.readAllLines(Sources.file("docs/wire.md")).stream()
                .filter(line -> line.matches("\\| `[A-Z_]+` .*"))
                .toList();
        assertThat(rows).as("the table is:\n" + String.join("\n", expected)).isEqualTo(expected);
    }

    /** In their order, without transports. */
    private static Set<String> operations() {
        Set<String> operations = new LinkedHashSet<>();
        for (PacketOpcode opcode : PacketOpcode.values()) {
            if (opcode != PacketOpcode.CNP) {
                operations.add(opcode.name().replaceFirst("[A-Z]+_", ""));
            }
        }
        return operations;
    }

    private static String row(String operation) {
        List<String> cells = new ArrayList<>(List.of("`" + operation + "`"));
        for (String transport : TRANSPORTS) {
            cells.add(opcode(transport + "_" + operation)
                    .map(opcode -> "%02x".formatted(opcode.code()))
                    .orElse(""));
        }
        PacketOpcode reliable = opcode("RC_" + operation).orElseThrow();
        cells.add(
                String.join(", ", reliable.headers().stream().map(HEADERS::get).toList()));
        cells.add(PAYLOADS.get(reliable.payload()));
        return ("| " + String.join(" | ", cells) + " |").replace("|  |", "| |").replace("|  |", "| |");
    }

    private static Optional<PacketOpcode> opcode(String name) {
        return Arrays.stream(PacketOpcode.values())
                .filter(opcode -> opcode.name().equals(name))
                .findFirst();
    }
}
