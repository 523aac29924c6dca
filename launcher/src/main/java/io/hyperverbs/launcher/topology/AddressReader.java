package io.hyperverbs.launcher.topology;

import io.hyperverbs.vmm.domain.GuestAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Reads addresses of guests for IP over InfiniBand; no two guests have the same. */
record AddressReader(QuotaSums.Report report) {
    /** What {@code ip} of a guest says; empty if it is not there, or wrong. */
    Optional<GuestAddress> address(JsonNode node, String pointer) {
        if (!node.isObject()) {
            return Optional.empty();
        }
        try {
            GuestAddress address = GuestAddress.parse(node.path("address").asString());
            JsonNode pkey = node.path("pkey");
            GuestAddress inMode = address.inMode(node.path("mode").asString(address.mode()));
            return Optional.of(pkey.isMissingNode() ? inMode : inMode.in(PartitionReader.pkey(pkey)));
        } catch (IllegalArgumentException e) {
            report.problem(pointer + "/address", "address: " + e.getMessage(), "such as 10.1.0.1/24");
            return Optional.empty();
        }
    }

    /** Who has an address has a network of its own, in which executables of the computer use it. */
    void check(List<Guest> guests) {
        Map<Integer, String> owners = new HashMap<>();
        for (Guest guest : guests) {
            if (guest.address().isEmpty()) {
                continue;
            }
            String pointer = "/guests/" + guest.name() + "/ip";
            GuestAddress address = guest.address().get();
            String other = owners.putIfAbsent(address.address(), guest.name());
            if (other != null) {
                report.problem(
                        pointer + "/address", "address: " + address.host() + " is that of " + other, "take another");
            }
            if (!guest.nativeDomain() && guest.executables().count() == 0) {
                report.problem(
                        pointer,
                        "ip: " + guest.name() + " has no room for executables, which use it",
                        "executables: {} in the guest gives it some");
            }
        }
    }
}
