package io.hyperverbs.backend.mad;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.mad.IpHeaderLayout.Addresses;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PrivateData;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Each layout byte by byte. */
class MadLayoutsTest {
    private static final Gid LOCAL = new Gid(0xa1a2a3a4a5a6a7a8L, 0xb1b2b3b4b5b6b7b8L);
    private static final Gid REMOTE = new Gid(0xc1c2c3c4c5c6c7c8L, 0xd1d2d3d4d5d6d7d8L);

    private byte[] mad = new byte[256];

    /** From that byte on it is this, and zero else behind the header. */
    private void assertBytes(int from, String... expected) {
        String fields = String.join("", expected);
        String all = HexFormat.of().formatHex(mad);
        assertThat(all.substring(2 * from)).isEqualTo(fields + "0".repeat(2 * (256 - from) - fields.length()));
        assertThat(all.substring(48, 2 * from)).matches("0*");
    }

    private static PrivateData data(DataField field) {
        byte[] bytes = new byte[field.length()];
        bytes[0] = 0x11;
        bytes[bytes.length - 1] = (byte) 0xff;
        return PrivateData.of(bytes);
    }

    private static String dataText(DataField field) {
        return "11" + "00".repeat(field.length() - 2) + "ff";
    }

    @Test
    void header() {
        mad = MadHeaderLayout.create(256, 0x81, 0x92, 0xa3b4, 0xc1c2c3c4c5c6c7c8L);
        MadHeaderLayout.STATUS.set(mad, 0xd5e6);
        MadHeaderLayout.ATTRIBUTE_MODIFIER.set(mad, 0xf1f2f3f4L);

        assertThat(HexFormat.of().formatHex(mad, 0, 24))
                .isEqualTo("01810292" + "d5e60000" + "c1c2c3c4c5c6c7c8" + "a3b40000" + "f1f2f3f4");
        assertThat(MadHeaderLayout.SIZE_BYTES).isEqualTo(24);
        assertThat(MadHeaderLayout.BASE_VERSION.get(mad)).isOne();
        assertThat(MadHeaderLayout.CLASS_VERSION.get(mad)).isEqualTo(2);
        assertThat(MadHeaderLayout.TRANSACTION_ID.get(mad)).isEqualTo(0xc1c2c3c4c5c6c7c8L);
    }

    @Test
    void messagesByTheirNumbers() {
        for (CmMessage message : CmMessage.values()) {
            byte[] made = message.create(256, 7);
            int attribute = 0x10 + message.ordinal();

            assertThat(HexFormat.of().formatHex(made, 0, 24))
                    .as(message.name())
                    .isEqualTo("01070203" + "00000000" + "0000000000000007" + "00" + Integer.toHexString(attribute)
                            + "0000" + "00000000");
            assertThat(CmMessage.of(attribute)).isEqualTo(message);
            int answered = message == CmMessage.REQ ? 0 : message == CmMessage.REP ? 1 : 2;
            assertThat(message.answeredCode()).as(message.name()).isEqualTo(answered);
        }
        assertThat(CmMessage.of(0x19)).isNull();
    }

    @Test
    void req() {
        ReqLayout.LOCAL_COMM_ID.set(mad, 0x81020304L);
        ReqLayout.SERVICE_ID.set(mad, 0x8122334455667788L);
        ReqLayout.LOCAL_CA_GUID.set(mad, 0x9122334455667788L);
        ReqLayout.LOCAL_QKEY.set(mad, 0xa1020304L);
        ReqLayout.LOCAL_QPN.set(mad, 0xb10203);
        ReqLayout.RESPONDER_RESOURCES.set(mad, 0xb4);
        ReqLayout.LOCAL_EECN.set(mad, 0xc10203);
        ReqLayout.INITIATOR_DEPTH.set(mad, 0xc4);
        ReqLayout.REMOTE_EECN.set(mad, 0xd10203);
        ReqLayout.REMOTE_RESPONSE_TIMEOUT.set(mad, 0b10101);
        ReqLayout.TRANSPORT_SERVICE_TYPE.set(mad, 0b10);
        ReqLayout.FLOW_CONTROL.set(mad, 1);
        ReqLayout.STARTING_PSN.set(mad, 0xe10203);
        ReqLayout.LOCAL_RESPONSE_TIMEOUT.set(mad, 0b01010);
        ReqLayout.RETRY_COUNT.set(mad, 0b101);
        ReqLayout.PKEY.set(mad, 0x8123);
        ReqLayout.PATH_MTU.set(mad, 5);
        ReqLayout.RDC_EXISTS.set(mad, 1);
        ReqLayout.RNR_RETRY_COUNT.set(mad, 0b110);
        ReqLayout.MAX_CM_RETRIES.set(mad, 0xf);
        ReqLayout.SRQ.set(mad, 1);
        ReqLayout.EXTENDED_TRANSPORT_TYPE.set(mad, 0b001);
        ReqLayout.PRIMARY_LOCAL_LID.set(mad, 0xf102);
        ReqLayout.PRIMARY_REMOTE_LID.set(mad, 0xf304);
        ReqLayout.PRIMARY_LOCAL_GID.set(mad, LOCAL);
        ReqLayout.PRIMARY_REMOTE_GID.set(mad, REMOTE);
        ReqLayout.PRIMARY_FLOW_LABEL.set(mad, 0xfedcb);
        ReqLayout.PRIMARY_PACKET_RATE.set(mad, 0b100001);
        ReqLayout.PRIMARY_TRAFFIC_CLASS.set(mad, 0x82);
        ReqLayout.PRIMARY_HOP_LIMIT.set(mad, 0x93);
        ReqLayout.PRIMARY_SL.set(mad, 0xa);
        ReqLayout.PRIMARY_SUBNET_LOCAL.set(mad, 1);
        ReqLayout.PRIMARY_ACK_TIMEOUT.set(mad, 0b11011);
        setAlternatePath();
        ReqLayout.PRIVATE_DATA.set(mad, data(ReqLayout.PRIVATE_DATA));

        assertBytes(
                24,
                "81020304" + "00000000" + "8122334455667788" + "9122334455667788",
                "00000000" + "a1020304" + "b10203" + "b4" + "c10203" + "c4" + "d10203" + "ad" + "e10203" + "55",
                "8123" + "5e" + "f9" + "f102" + "f304",
                "a1a2a3a4a5a6a7a8b1b2b3b4b5b6b7b8" + "c1c2c3c4c5c6c7c8d1d2d3d4d5d6d7d8",
                "fedcb021" + "82" + "93" + "a8" + "d8",
                "e102" + "e304" + "c1c2c3c4c5c6c7c8d1d2d3d4d5d6d7d8" + "a1a2a3a4a5a6a7a8b1b2b3b4b5b6b7b8",
                "abcde033" + "84" + "95" + "b8" + "88",
                dataText(ReqLayout.PRIVATE_DATA));
        assertThat(ReqLayout.PRIMARY_LOCAL_GID.get(mad)).isEqualTo(LOCAL);
        assertThat(ReqLayout.STARTING_PSN.getInt(mad)).isEqualTo(0xe10203);
        assertThat(ReqLayout.PRIVATE_DATA.length()).isEqualTo(PrivateData.REQ_BYTES);
    }

    private void setAlternatePath() {
        ReqLayout.ALTERNATE_LOCAL_LID.set(mad, 0xe102);
        ReqLayout.ALTERNATE_REMOTE_LID.set(mad, 0xe304);
        ReqLayout.ALTERNATE_LOCAL_GID.set(mad, REMOTE);
        ReqLayout.ALTERNATE_REMOTE_GID.set(mad, LOCAL);
        ReqLayout.ALTERNATE_FLOW_LABEL.set(mad, 0xabcde);
        ReqLayout.ALTERNATE_PACKET_RATE.set(mad, 0b110011);
        ReqLayout.ALTERNATE_TRAFFIC_CLASS.set(mad, 0x84);
        ReqLayout.ALTERNATE_HOP_LIMIT.set(mad, 0x95);
        ReqLayout.ALTERNATE_SL.set(mad, 0xb);
        ReqLayout.ALTERNATE_SUBNET_LOCAL.set(mad, 1);
        ReqLayout.ALTERNATE_ACK_TIMEOUT.set(mad, 0b10001);
    }

    @Test
    void mra() {
        MraLayout.LOCAL_COMM_ID.set(mad, 0x81020304L);
        MraLayout.REMOTE_COMM_ID.set(mad, 0x91020304L);
        MraLayout.MESSAGE.set(mad, 0b10);
        MraLayout.SERVICE_TIMEOUT.set(mad, 0b11101);
        MraLayout.PRIVATE_DATA.set(mad, data(MraLayout.PRIVATE_DATA));

        assertBytes(24, "81020304" + "91020304" + "80" + "e8" + dataText(MraLayout.PRIVATE_DATA));
    }

    @Test
    void rej() {
        RejLayout.LOCAL_COMM_ID.set(mad, 0x81020304L);
        RejLayout.REMOTE_COMM_ID.set(mad, 0x91020304L);
        RejLayout.MESSAGE.set(mad, 0b01);
        RejLayout.ARI_LENGTH.set(mad, 0b1001001);
        RejLayout.REASON.set(mad, 0xa1b2);
        RejLayout.ARI.set(mad, data(RejLayout.ARI));
        RejLayout.PRIVATE_DATA.set(mad, data(RejLayout.PRIVATE_DATA));

        assertBytes(
                24,
                "81020304" + "91020304" + "40" + "92" + "a1b2",
                dataText(RejLayout.ARI),
                dataText(RejLayout.PRIVATE_DATA));
        assertThat(RejLayout.PRIVATE_DATA.length()).isEqualTo(PrivateData.REJ_BYTES);
    }

    @Test
    void rep() {
        RepLayout.LOCAL_COMM_ID.set(mad, 0x81020304L);
        RepLayout.REMOTE_COMM_ID.set(mad, 0x91020304L);
        RepLayout.LOCAL_QKEY.set(mad, 0xa1020304L);
        RepLayout.LOCAL_QPN.set(mad, 0xb10203);
        RepLayout.LOCAL_EECN.set(mad, 0xc10203);
        RepLayout.STARTING_PSN.set(mad, 0xd10203);
        RepLayout.RESPONDER_RESOURCES.set(mad, 0xe1);
        RepLayout.INITIATOR_DEPTH.set(mad, 0xe2);
        RepLayout.TARGET_ACK_DELAY.set(mad, 0b10101);
        RepLayout.FAILOVER_ACCEPTED.set(mad, 0b01);
        RepLayout.FLOW_CONTROL.set(mad, 1);
        RepLayout.RNR_RETRY_COUNT.set(mad, 0b101);
        RepLayout.SRQ.set(mad, 1);
        RepLayout.LOCAL_CA_GUID.set(mad, 0xf122334455667788L);
        RepLayout.PRIVATE_DATA.set(mad, data(RepLayout.PRIVATE_DATA));

        assertBytes(
                24,
                "81020304" + "91020304" + "a1020304" + "b1020300" + "c1020300" + "d1020300",
                "e1" + "e2" + "ab" + "b0" + "f122334455667788",
                dataText(RepLayout.PRIVATE_DATA));
        assertThat(RepLayout.PRIVATE_DATA.length()).isEqualTo(PrivateData.REP_BYTES);
    }

    @Test
    void rtu() {
        RtuLayout.LOCAL_COMM_ID.set(mad, 0x81020304L);
        RtuLayout.REMOTE_COMM_ID.set(mad, 0x91020304L);
        RtuLayout.PRIVATE_DATA.set(mad, data(RtuLayout.PRIVATE_DATA));

        assertBytes(24, "81020304" + "91020304" + dataText(RtuLayout.PRIVATE_DATA));
        assertThat(RtuLayout.PRIVATE_DATA.length()).isEqualTo(PrivateData.RTU_BYTES);
        assertThat(RtuLayout.PRIVATE_DATA.length()).isEqualTo(PrivateData.DREP_BYTES);
    }

    @Test
    void dreq() {
        DreqLayout.LOCAL_COMM_ID.set(mad, 0x81020304L);
        DreqLayout.REMOTE_COMM_ID.set(mad, 0x91020304L);
        DreqLayout.REMOTE_QPN.set(mad, 0xa10203);
        DreqLayout.PRIVATE_DATA.set(mad, data(DreqLayout.PRIVATE_DATA));

        assertBytes(24, "81020304" + "91020304" + "a1020300" + dataText(DreqLayout.PRIVATE_DATA));
        assertThat(DreqLayout.PRIVATE_DATA.length()).isEqualTo(PrivateData.DREQ_BYTES);
    }

    @Test
    void sidrReq() {
        SidrReqLayout.REQUEST_ID.set(mad, 0x81020304L);
        SidrReqLayout.PKEY.set(mad, 0x9102);
        SidrReqLayout.SERVICE_ID.set(mad, 0xa122334455667788L);
        SidrReqLayout.PRIVATE_DATA.set(mad, data(SidrReqLayout.PRIVATE_DATA));

        assertBytes(24, "81020304" + "91020000" + "a122334455667788" + dataText(SidrReqLayout.PRIVATE_DATA));
    }

    @Test
    void sidrRep() {
        SidrRepLayout.REQUEST_ID.set(mad, 0x81020304L);
        SidrRepLayout.STATUS.set(mad, 0x91);
        SidrRepLayout.INFORMATION_LENGTH.set(mad, 0x92);
        SidrRepLayout.QPN.set(mad, 0xa10203);
        SidrRepLayout.SERVICE_ID.set(mad, 0xb122334455667788L);
        SidrRepLayout.QKEY.set(mad, 0xc1020304L);
        SidrRepLayout.INFORMATION.set(mad, data(SidrRepLayout.INFORMATION));
        SidrRepLayout.PRIVATE_DATA.set(mad, data(SidrRepLayout.PRIVATE_DATA));

        assertBytes(
                24,
                "81020304" + "91" + "92" + "0000" + "a1020300" + "b122334455667788" + "c1020304",
                dataText(SidrRepLayout.INFORMATION),
                dataText(SidrRepLayout.PRIVATE_DATA));
    }

    @Test
    void ipv4HeaderOfPrivateData() {
        Addresses addresses = new Addresses(0x8182, Gid.ofIpv4(0x91020304), Gid.ofIpv4(0xa1020304));

        IpHeaderLayout.set(mad, addresses);

        assertBytes(
                164,
                "00" + "40" + "8182" + "000000000000000000000000" + "91020304" + "000000000000000000000000a1020304");
        assertThat(IpHeaderLayout.get(mad)).isEqualTo(addresses);
    }

    @Test
    void ipv6HeaderOfPrivateData() {
        Addresses addresses = new Addresses(0x8182, LOCAL, REMOTE);

        IpHeaderLayout.set(mad, addresses);

        assertBytes(
                164, "00" + "60" + "8182" + "a1a2a3a4a5a6a7a8b1b2b3b4b5b6b7b8" + "c1c2c3c4c5c6c7c8d1d2d3d4d5d6d7d8");
        assertThat(IpHeaderLayout.get(mad)).isEqualTo(addresses);
    }

    @Test
    void ipHeaderOfAnotherVersion() {
        IpHeaderLayout.set(mad, new Addresses(1, LOCAL, REMOTE));
        mad[164] = 1;
        assertThat(IpHeaderLayout.get(mad)).isNull();
        mad[164] = 0;
        mad[165] = 0x50;
        assertThat(IpHeaderLayout.get(mad)).isNull();
    }

    @Test
    void ipServices() {
        assertThat(IpHeaderLayout.isIpService(0x0000_0000_0106_1234L)).isTrue();
        assertThat(IpHeaderLayout.isIpService(0x0000_0000_0206_1234L)).isFalse();
        assertThat(IpHeaderLayout.isIpService(0x0000_0001_0106_1234L)).isFalse();
        assertThat(IpHeaderLayout.isIpService(0x1234)).isFalse();
    }

    @Test
    void serviceRecord() {
        SaHeaderLayout.RMPP_FLAGS.set(mad, 0b101);
        SaHeaderLayout.RECORD_SIZE.set(mad, ServiceRecordLayout.RECORD_SIZE);
        SaHeaderLayout.COMPONENT_MASK.set(mad, ServiceRecordLayout.HAS_NAME | ServiceRecordLayout.HAS_GID);
        ServiceRecordLayout.SERVICE_ID.set(mad, 0x8122334455667788L);
        ServiceRecordLayout.SERVICE_GID.set(mad, LOCAL);
        ServiceRecordLayout.PKEY.set(mad, 0x9192);
        ServiceRecordLayout.LEASE.set(mad, 0xa1020304L);
        ServiceRecordLayout.setName(mad, "hv.guest.a");
        ServiceRecordLayout.DATA.set(mad, data(ServiceRecordLayout.DATA));

        assertBytes(
                26,
                "05" + "00".repeat(17) + "0016" + "0000" + "0000000000000042",
                "8122334455667788" + "a1a2a3a4a5a6a7a8b1b2b3b4b5b6b7b8" + "9192" + "0000" + "a1020304",
                "00".repeat(16),
                "68762e67756573742e61" + "00".repeat(54),
                dataText(ServiceRecordLayout.DATA));
        assertThat(ServiceRecordLayout.name(mad)).isEqualTo("hv.guest.a");
        ServiceRecordLayout.setName(mad, "x".repeat(64));
        assertThat(ServiceRecordLayout.name(mad)).isEqualTo("x".repeat(64));
    }

    @Test
    void times() {
        assertThat(TimeCode.nanos(0)).isEqualTo(4096);
        assertThat(TimeCode.nanos(20)).isEqualTo(4096L << 20);
        assertThat(TimeCode.atLeast(0)).isZero();
        assertThat(TimeCode.atLeast(4096)).isZero();
        assertThat(TimeCode.atLeast(4097)).isOne();
        assertThat(TimeCode.atLeast(Long.MAX_VALUE)).isEqualTo(TimeCode.MAX);
    }
}
