package io.hyperverbs.launcher.topology;

import io.hyperverbs.vmm.domain.GuestAddress;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Reads P_Keys of HCAs and guests; a guest has some of its HCA's. */
record PartitionReader(QuotaSums.Report report) {
    private static final int PARTITION = 0x7fff;
    private static final int FULL_MEMBER = 0x8000;

    /** A P_Key: a number, or hexadecimal text as P_Keys are written; a YAML number may be either. */
    static int pkey(JsonNode key) {
        return key.isIntegralNumber() ? key.asInt() : Integer.decode(key.asString());
    }

    /**
     * The P_Keys below {@code pkeys} of an HCA or guest.
     *
     * @param pointer of {@code node}
     * @return {@code standard} if there are none, or wrong ones
     */
    List<Integer> pkeys(JsonNode node, String pointer, List<Integer> standard) {
        if (!node.isArray()) {
            return standard;
        }
        List<Integer> pkeys = new ArrayList<>();
        boolean valid = true;
        for (JsonNode key : node) {
            int pkey = pkey(key);
            String at = pointer + "/" + pkeys.size();
            if ((pkey & PARTITION) == 0) {
                report.problem(
                        at, "P_Key 0x%04x names no partition".formatted(pkey), "0xffff is the default partition");
                valid = false;
            } else if (pkeys.contains(pkey)) {
                report.problem(at, "P_Key 0x%04x is there twice".formatted(pkey), "");
            }
            pkeys.add(pkey);
        }
        return valid ? pkeys : standard;
    }

    /** Guests of an HCA are in partitions that it is in, and have addresses in their own, as full members. */
    void check(HcaSpec hca, List<Guest> guests) {
        for (Guest guest : guests) {
            String pointer = "/guests/" + guest.name();
            for (int pkey : guest.pkeys()) {
                if (!hca.ports().pkeys().contains(pkey)) {
                    report.problem(
                            pointer + "/pkeys",
                            "pkeys: %s has no P_Key 0x%04x".formatted(hca.name(), pkey),
                            "pkeys of the HCA lists those it has");
                }
            }
            guest.address().ifPresent(address -> checkAddress(hca, guest, address, pointer + "/ip"));
        }
    }

    private void checkAddress(HcaSpec hca, Guest guest, GuestAddress address, String pointer) {
        int pkey = address.pkey();
        boolean isGuests = !guest.pkeys().isEmpty();
        if (!(isGuests ? guest.pkeys() : hca.ports().pkeys()).contains(pkey)) {
            report.problem(
                    pointer,
                    "ip: %s has no P_Key 0x%04x".formatted(isGuests ? guest.name() : hca.name(), pkey),
                    "pkeys of the %s lists those it has".formatted(isGuests ? "guest" : "HCA"));
        } else if ((pkey & FULL_MEMBER) == 0) {
            report.problem(
                    pointer + "/pkey",
                    "pkey: 0x%04x is a limited member's".formatted(pkey),
                    "full members' have the bit 0x8000");
        }
    }
}
