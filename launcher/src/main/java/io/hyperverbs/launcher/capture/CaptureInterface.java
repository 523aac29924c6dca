package io.hyperverbs.launcher.capture;

/**
 * Where packets of a capture come from, as Wireshark lists it.
 *
 * @param name short, such as {@code a.hca0}
 * @param description what is captured there, in words; empty for none
 * @param linkType what the bytes of its packets are
 */
public record CaptureInterface(String name, String description, LinkType linkType) {
    /** What a packet begins with; numbers of the registry of link types. */
    public enum LinkType {
        /**
         * An IPv4 header: {@link RocePacketRenderer}. Raw IP (101) is no choice: where type of service
         * and length happen to look like PPP, Wireshark takes the packet for that.
         */
        IPV4(228),
        /** Tags that name a dissector: {@link ControlVerbRenderer}. */
        UPPER_PDU(252);

        private final int code;

        LinkType(int code) {
            this.code = code;
        }

        int code() {
            return code;
        }
    }
}
