package io.hyperverbs.hca.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.qp.Qp;
import io.hyperverbs.hca.wire.PacketOpcode.Header;
import io.hyperverbs.hca.wire.PacketOpcode.Kind;
import io.hyperverbs.hca.wire.PacketOpcode.Place;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The table against the specification's, written once more by operation, and every question for every byte. */
class PacketTableTest {
    private static final int MTU = 1024;

    /** By the lower five bits: kind, place, smallest and largest payload, headers after the BTH of RC. */
    private static final String[] OPERATIONS = {
        "SEND FIRST 1024..1024",
        "SEND MIDDLE 1024..1024",
        "SEND LAST 1..1024",
        "SEND LAST 1..1024 IMM_DT:4",
        "SEND ONLY 0..1024",
        "SEND ONLY 0..1024 IMM_DT:4",
        "WRITE FIRST 1024..1024 RETH:16",
        "WRITE MIDDLE 1024..1024",
        "WRITE LAST 1..1024",
        "WRITE LAST 1..1024 IMM_DT:4",
        "WRITE ONLY 0..1024 RETH:16",
        "WRITE ONLY 0..1024 RETH:16 IMM_DT:4",
        "READ_REQUEST ONLY 0..0 RETH:16",
        "READ_RESPONSE FIRST 1024..1024 AETH:4",
        "READ_RESPONSE MIDDLE 1024..1024",
        "READ_RESPONSE LAST 1..1024 AETH:4",
        "READ_RESPONSE ONLY 0..1024 AETH:4",
        "ACK ONLY 0..0 AETH:4",
        "ATOMIC_ACK ONLY 0..0 AETH:4 ATOMIC_ACK_ETH:8",
        "COMPARE_SWAP ONLY 0..0 ATOMIC_ETH:28",
        "FETCH_ADD ONLY 0..0 ATOMIC_ETH:28",
        "",
        "SEND LAST 1..1024 IETH:4",
        "SEND ONLY 0..1024 IETH:4",
    };

    private static final int LAST_OF_UC = 0x0b;

    /** What the specification says of eight bits: transport, then the words above; empty if they are reserved. */
    private static String specified(int opcode) {
        int operation = opcode & 31;
        String words = operation < OPERATIONS.length ? OPERATIONS[operation] : "";
        boolean answers = words.startsWith("READ_RESPONSE") || words.contains("ACK");
        return switch (opcode >> 5) {
            case 0 -> words.isEmpty() ? "" : "RC " + words;
            case 1 -> operation <= LAST_OF_UC ? "UC " + words : "";
            case 3 ->
                words.startsWith("SEND ONLY") && operation <= LAST_OF_UC ? "UD " + withFirst("DETH:8", words) : "";
            case 4 -> opcode == 0x81 ? "none CNP ONLY 0..0 CNP_RESERVED:16" : "";
            case 5 -> words.isEmpty() ? "" : "XRC " + (answers ? words : withFirst("XRC_ETH:4", words));
            default -> "";
        };
    }

    private static String withFirst(String header, String words) {
        List<String> parts = new ArrayList<>(List.of(words.split(" ")));
        parts.add(3, header);
        return String.join(" ", parts);
    }

    /** What the table says of them. */
    private static String answered(int opcode) {
        if (!PacketTable.isKnown(opcode)) {
            return "";
        }
        String transport = switch (PacketTable.transport(opcode)) {
            case Qp.RC -> "RC";
            case Qp.XRC -> "XRC";
            case Qp.UC -> "UC";
            case Qp.UD -> "UD";
            default -> "none";
        };
        int least = -1;
        int most = -1;
        for (int bytes = -1; bytes <= MTU + 1; bytes++) {
            if (PacketTable.allowsPayload(opcode, bytes, MTU)) {
                least = least < 0 ? bytes : least;
                most = bytes;
            }
        }
        StringBuilder words = new StringBuilder(transport)
                .append(' ')
                .append(PacketTable.kind(opcode))
                .append(' ')
                .append(PacketTable.place(opcode))
                .append(' ')
                .append(least)
                .append("..")
                .append(most);
        int at = BthLayout.SIZE_BYTES;
        while (at < PacketTable.headerBytes(opcode)) {
            Header header = headerAt(opcode, at);
            words.append(' ').append(header).append(':').append(header.sizeBytes());
            at += header.sizeBytes();
        }
        assertThat(at).isEqualTo(PacketTable.headerBytes(opcode));
        return words.toString();
    }

    private static Header headerAt(int opcode, int offset) {
        return Arrays.stream(Header.values())
                .filter(header -> PacketTable.headerOffset(opcode, header) == offset)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void saysOfEveryByteWhatTheSpecificationSays() {
        int known = 0;
        for (int opcode = 0; opcode < 256; opcode++) {
            assertThat(answered(opcode)).as("opcode %02x", opcode).isEqualTo(specified(opcode));
            known += PacketTable.isKnown(opcode) ? 1 : 0;
        }

        assertThat(known).isEqualTo(PacketOpcode.values().length).isEqualTo(23 + 12 + 2 + 1 + 23);
    }

    @Test
    void answersForBytesThatAreNoOpcode() {
        for (int opcode = 0; opcode < 256; opcode++) {
            if (specified(opcode).isEmpty()) {
                assertThat(PacketTable.row(opcode)).isNull();
                assertThat(PacketTable.kind(opcode)).isEqualTo(Kind.UNKNOWN);
                assertThat(PacketTable.transport(opcode)).isEqualTo(PacketTable.NO_TRANSPORT);
                assertThat(PacketTable.headerBytes(opcode)).isEqualTo(12);
                assertThat(PacketTable.takesReceive(opcode)).isFalse();
                assertThat(PacketTable.allowsPayload(opcode, 0, MTU)).isTrue();
                assertThat(PacketTable.allowsPayload(opcode, 1, MTU)).isFalse();
                for (Header header : Header.values()) {
                    assertThat(PacketTable.has(opcode, header)).isFalse();
                }
            }
        }
    }

    @Test
    void numbersTransportsAsQueuePairsDo() {
        assertThat(PacketTable.RC).isEqualTo(Qp.RC);
        assertThat(PacketTable.XRC).isEqualTo(Qp.XRC);
        assertThat(PacketTable.UC).isEqualTo(Qp.UC);
        assertThat(PacketTable.UD).isEqualTo(Qp.UD);
    }

    @ParameterizedTest
    @EnumSource
    void rowsAreNamedAsTheyAre(PacketOpcode row) {
        assertThat(PacketTable.row(row.code())).isSameAs(row);
        if (row == PacketOpcode.CNP) {
            return;
        }
        String transport = row.name().substring(0, row.name().indexOf('_'));
        String operation = specified(row.code()).split(" ", 4)[1];
        String place = specified(row.code()).split(" ", 4)[2];
        String expected = switch (operation) {
            case "SEND" -> "SEND_" + place;
            case "WRITE" -> "RDMA_WRITE_" + place;
            case "READ_REQUEST" -> "RDMA_READ_REQUEST";
            case "READ_RESPONSE" -> "RDMA_READ_RESPONSE_" + place;
            case "ACK" -> "ACKNOWLEDGE";
            case "ATOMIC_ACK" -> "ATOMIC_ACKNOWLEDGE";
            default -> operation;
        };
        String trailer = row.has(Header.IMM_DT) ? "_WITH_IMMEDIATE" : row.has(Header.IETH) ? "_WITH_INVALIDATE" : "";
        assertThat(row.name()).isEqualTo(transport + "_" + expected + trailer);
        assertThat(specified(row.code())).startsWith(transport + " ");
    }

    @ParameterizedTest
    @EnumSource
    void headersFollowOneAnother(PacketOpcode row) {
        int at = BthLayout.SIZE_BYTES;
        for (Header header : row.headers()) {
            assertThat(PacketTable.headerOffset(row.code(), header)).isEqualTo(at);
            at += header.sizeBytes();
        }

        assertThat(PacketTable.headerBytes(row.code())).isEqualTo(at).isLessThanOrEqualTo(PacketTable.MAX_HEADER_BYTES);
    }

    @Test
    void receivesAreTakenAtTheFirstPacketOfASendAndTheLastOfAWriteWithImmediate() {
        List<String> taking = Arrays.stream(PacketOpcode.values())
                .filter(row -> PacketTable.takesReceive(row.code()))
                .map(Enum::name)
                .toList();

        assertThat(taking)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(PacketOpcode.values())
                        .map(Enum::name)
                        .filter(name -> name.matches(".*_SEND_(FIRST|ONLY.*)|.*_RDMA_WRITE_(LAST|ONLY)_WITH_IMMEDIATE"))
                        .toList());
        assertThat(taking).hasSize(4 + 2 + 3 + 2 + 2 + 4 + 2);
    }

    /** All pairs, told apart by the rows' names alone. */
    @Test
    void messagesGoOnToTheirEndAndOnlyThenAnotherBegins() {
        Pattern inProgress = Pattern.compile("(RC|UC|XRC)_(SEND|RDMA_WRITE)_(FIRST|MIDDLE)");
        Pattern begins =
                Pattern.compile(".*_(SEND|RDMA_WRITE)_(FIRST|ONLY.*)|.*_(READ_REQUEST|COMPARE_SWAP|FETCH_ADD)");
        int allowed = 0;
        for (int previous = PacketTable.NO_OPCODE; previous < 256; previous++) {
            for (int opcode = 0; opcode < 256; opcode++) {
                Matcher open = inProgress.matcher(previous < 0 ? "" : name(previous));
                boolean expected = open.matches()
                        ? name(opcode).matches(open.group(1) + "_" + open.group(2) + "_(MIDDLE|LAST.*)")
                        : begins.matcher(name(opcode)).matches();

                assertThat(PacketTable.mayFollow(previous, opcode))
                        .as("%s after %s", name(opcode), previous < 0 ? "none" : name(previous))
                        .isEqualTo(expected);
                allowed += expected ? 1 : 0;
            }
        }

        assertThat(allowed).isGreaterThan(1000);
    }

    private static String name(int opcode) {
        PacketOpcode row = PacketTable.row(opcode);
        return row == null ? "reserved" : row.name();
    }

    @ParameterizedTest
    @CsvSource({
        "RC,  2, RC_SEND_FIRST, RC_SEND_MIDDLE, RC_SEND_LAST, RC_SEND_ONLY",
        "RC,  3, RC_SEND_FIRST, RC_SEND_MIDDLE, RC_SEND_LAST_WITH_IMMEDIATE, RC_SEND_ONLY_WITH_IMMEDIATE",
        "RC,  9, RC_SEND_FIRST, RC_SEND_MIDDLE, RC_SEND_LAST_WITH_INVALIDATE, RC_SEND_ONLY_WITH_INVALIDATE",
        "RC,  0, RC_RDMA_WRITE_FIRST, RC_RDMA_WRITE_MIDDLE, RC_RDMA_WRITE_LAST, RC_RDMA_WRITE_ONLY",
        "RC,  1, RC_RDMA_WRITE_FIRST, RC_RDMA_WRITE_MIDDLE, RC_RDMA_WRITE_LAST_WITH_IMMEDIATE, "
                + "RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE",
        "RC,  4, , , , RC_RDMA_READ_REQUEST",
        "RC,  5, , , , RC_COMPARE_SWAP",
        "RC,  6, , , , RC_FETCH_ADD",
        "XRC, 2, XRC_SEND_FIRST, XRC_SEND_MIDDLE, XRC_SEND_LAST, XRC_SEND_ONLY",
        "XRC, 3, XRC_SEND_FIRST, XRC_SEND_MIDDLE, XRC_SEND_LAST_WITH_IMMEDIATE, XRC_SEND_ONLY_WITH_IMMEDIATE",
        "XRC, 9, XRC_SEND_FIRST, XRC_SEND_MIDDLE, XRC_SEND_LAST_WITH_INVALIDATE, XRC_SEND_ONLY_WITH_INVALIDATE",
        "XRC, 0, XRC_RDMA_WRITE_FIRST, XRC_RDMA_WRITE_MIDDLE, XRC_RDMA_WRITE_LAST, XRC_RDMA_WRITE_ONLY",
        "XRC, 1, XRC_RDMA_WRITE_FIRST, XRC_RDMA_WRITE_MIDDLE, XRC_RDMA_WRITE_LAST_WITH_IMMEDIATE, "
                + "XRC_RDMA_WRITE_ONLY_WITH_IMMEDIATE",
        "XRC, 4, , , , XRC_RDMA_READ_REQUEST",
        "XRC, 5, , , , XRC_COMPARE_SWAP",
        "XRC, 6, , , , XRC_FETCH_ADD",
        "UC,  2, UC_SEND_FIRST, UC_SEND_MIDDLE, UC_SEND_LAST, UC_SEND_ONLY",
        "UC,  3, UC_SEND_FIRST, UC_SEND_MIDDLE, UC_SEND_LAST_WITH_IMMEDIATE, UC_SEND_ONLY_WITH_IMMEDIATE",
        "UC,  9, , , ,",
        "UC,  0, UC_RDMA_WRITE_FIRST, UC_RDMA_WRITE_MIDDLE, UC_RDMA_WRITE_LAST, UC_RDMA_WRITE_ONLY",
        "UC,  1, UC_RDMA_WRITE_FIRST, UC_RDMA_WRITE_MIDDLE, UC_RDMA_WRITE_LAST_WITH_IMMEDIATE, "
                + "UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE",
        "UC,  4, , , ,",
        "UC,  5, , , ,",
        "UD,  2, , , , UD_SEND_ONLY",
        "UD,  3, , , , UD_SEND_ONLY_WITH_IMMEDIATE",
        "UD,  9, , , ,",
        "UD,  0, , , ,",
        "UD,  4, , , ,",
        "RC,  7, , , ,",
        "RC,  8, , , ,",
    })
    void workRequestsMakeThesePackets(
            String transport,
            int wqeOpcode,
            PacketOpcode first,
            PacketOpcode middle,
            PacketOpcode last,
            PacketOpcode only) {
        int number = List.of("RC", "XRC", "UC", "UD").indexOf(transport);

        assertThat(PacketTable.request(number, wqeOpcode, Place.FIRST)).isEqualTo(code(first));
        assertThat(PacketTable.request(number, wqeOpcode, Place.MIDDLE)).isEqualTo(code(middle));
        assertThat(PacketTable.request(number, wqeOpcode, Place.LAST)).isEqualTo(code(last));
        assertThat(PacketTable.request(number, wqeOpcode, Place.ONLY)).isEqualTo(code(only));
    }

    private static int code(PacketOpcode row) {
        return row == null ? PacketTable.NO_OPCODE : row.code();
    }

    @Test
    void workRequestsHaveTheseNumbers() {
        assertThat(List.of(
                        SendWqeLayout.OPCODE_RDMA_WRITE,
                        SendWqeLayout.OPCODE_RDMA_WRITE_WITH_IMM,
                        SendWqeLayout.OPCODE_SEND,
                        SendWqeLayout.OPCODE_SEND_WITH_IMM,
                        SendWqeLayout.OPCODE_RDMA_READ,
                        SendWqeLayout.OPCODE_COMPARE_AND_SWAP,
                        SendWqeLayout.OPCODE_FETCH_AND_ADD))
                .containsExactly(0, 1, 2, 3, 4, 5, 6);
        assertThat(SendWqeLayout.OPCODE_SEND_WITH_INV).isEqualTo(9);
    }

    @Test
    void reliableTransportsAnswer() {
        assertThat(PacketTable.acknowledge(PacketTable.RC)).isEqualTo(0x11);
        assertThat(PacketTable.acknowledge(PacketTable.XRC)).isEqualTo(0xb1);
        assertThat(PacketTable.acknowledge(PacketTable.UC)).isEqualTo(PacketTable.NO_OPCODE);
        assertThat(PacketTable.atomicAcknowledge(PacketTable.RC)).isEqualTo(0x12);
        assertThat(PacketTable.atomicAcknowledge(PacketTable.XRC)).isEqualTo(0xb2);
        assertThat(PacketTable.atomicAcknowledge(PacketTable.UD)).isEqualTo(PacketTable.NO_OPCODE);
        for (Place place : Place.values()) {
            int operation = 0x0d
                    + List.of(Place.FIRST, Place.MIDDLE, Place.LAST, Place.ONLY).indexOf(place);
            assertThat(PacketTable.readResponse(PacketTable.RC, place)).isEqualTo(operation);
            assertThat(PacketTable.readResponse(PacketTable.XRC, place)).isEqualTo(0xa0 + operation);
            assertThat(PacketTable.readResponse(PacketTable.UC, place)).isEqualTo(PacketTable.NO_OPCODE);
        }
    }

    @Test
    void packetsHaveTheirPlaces() {
        assertThat(Place.of(0, 1)).isEqualTo(Place.ONLY);
        assertThat(Place.of(0, 2)).isEqualTo(Place.FIRST);
        assertThat(Place.of(1, 2)).isEqualTo(Place.LAST);
        assertThat(Place.of(1, 3)).isEqualTo(Place.MIDDLE);
        assertThat(Place.of(1L << 31, (1L << 31) + 1)).isEqualTo(Place.LAST);
    }

    @Test
    void kindsAreRequestsOrResponses() {
        for (Kind kind : Kind.values()) {
            boolean response =
                    List.of(Kind.READ_RESPONSE, Kind.ACK, Kind.ATOMIC_ACK).contains(kind);
            assertThat(kind.isResponse()).isEqualTo(response);
            assertThat(kind.isRequest()).isEqualTo(!response && kind != Kind.UNKNOWN && kind != Kind.CNP);
        }
    }
}
