package io.hyperverbs.verbs;

/**
 * What a peer must know to connect to a queue pair and to reach one buffer: exchanged through the
 * {@link Store}, as verbs programs exchange it over a socket.
 *
 * @param lid port address, 16 bits
 * @param qpn queue pair number, 24 bits
 * @param psn first packet sequence number, 24 bits
 * @param address first byte of the offered buffer, 0 if none
 * @param rkey remote key of that buffer, 0 if none
 * @param lengthBytes length of that buffer
 */
public record Endpoint(int lid, int qpn, int psn, long address, int rkey, long lengthBytes) {

    /** One line, hexadecimal fields separated by colons; {@link #parse} reads it back. */
    public String format() {
        return String.format("%04x:%06x:%06x:%016x:%08x:%x", lid, qpn, psn, address, rkey, lengthBytes);
    }

    /**
     * Reads back what {@link #format} wrote.
     *
     * @throws IllegalArgumentException if {@code line} is anything else
     */
    public static Endpoint parse(String line) {
        String[] fields = line.strip().split(":", -1);
        if (fields.length != 6) {
            throw new IllegalArgumentException("endpoint of " + fields.length + " fields, must be 6: " + line);
        }
        return new Endpoint(
                Integer.parseInt(fields[0], 16),
                Integer.parseInt(fields[1], 16),
                Integer.parseInt(fields[2], 16),
                Long.parseUnsignedLong(fields[3], 16),
                Integer.parseUnsignedInt(fields[4], 16),
                Long.parseLong(fields[5], 16));
    }
}
