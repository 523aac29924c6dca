package io.hyperverbs.frontend.ip;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What the kernel lists of an interface in files: the multicast groups that sockets have joined on it, and its IPv6
 * addresses. In {@code igmp} a line of each interface stands before those of its groups, with addresses as numbers of a
 * little-endian machine; in {@code igmp6} and {@code if_inet6} each line has both, with addresses in the order of packets.
 * A line that is none of these is passed over, and a file that is not there has none.
 */
record InterfaceLists(Path folder, String device) {
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final int IPV4_DIGITS = 8;
    private static final int IPV6_DIGITS = 32;

    /** IPv6 addresses of the interface. */
    List<byte[]> ipv6Addresses() throws IOException {
        List<byte[]> addresses = new ArrayList<>();
        for (String line : lines("if_inet6")) {
            String[] words = BLANKS.split(line.strip());
            if (words[words.length - 1].equals(device) && words[0].length() == IPV6_DIGITS) {
                addresses.add(HexFormat.of().parseHex(words[0]));
            }
        }
        return addresses;
    }

    /** Groups of both protocols. */
    List<byte[]> groups() throws IOException {
        List<byte[]> groups = new ArrayList<>();
        addIpv4(groups);
        addIpv6(groups);
        return groups;
    }

    private void addIpv4(List<byte[]> groups) throws IOException {
        boolean isOurs = false;
        for (String line : lines("igmp")) {
            String[] words = BLANKS.split(line.strip());
            if (!Character.isWhitespace(line.isEmpty() ? ' ' : line.charAt(0))) {
                isOurs = words.length > 1 && words[1].equals(device);
            } else if (isOurs && words[0].length() == IPV4_DIGITS) {
                byte[] address = HexFormat.of().parseHex(words[0]);
                groups.add(new byte[] {address[3], address[2], address[1], address[0]});
            }
        }
    }

    private void addIpv6(List<byte[]> groups) throws IOException {
        for (String line : lines("igmp6")) {
            String[] words = BLANKS.split(line.strip());
            if (words.length > 2 && words[1].equals(device) && words[2].length() == IPV6_DIGITS) {
                groups.add(HexFormat.of().parseHex(words[2]));
            }
        }
    }

    private List<String> lines(String file) throws IOException {
        Path list = folder.resolve(file);
        return Files.exists(list) ? Files.readAllLines(list) : List.of();
    }
}
