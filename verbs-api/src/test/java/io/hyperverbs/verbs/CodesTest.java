package io.hyperverbs.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Codes are promises to other processes and to recorded journals: they are pinned here. */
class CodesTest {

    @Test
    void statusCodesArePinned() {
        Map<Integer, VerbsStatus> byCode = Arrays.stream(VerbsStatus.values())
                .collect(Collectors.toMap(VerbsStatus::code, s -> s, (a, b) -> a, TreeMap::new));

        assertThat(byCode).hasSize(VerbsStatus.values().length);
        assertThat(byCode.toString())
                .isEqualTo("{0=SUCCESS, 1=LOC_LEN_ERR, 2=LOC_QP_OP_ERR, 3=LOC_EEC_OP_ERR,"
                        + " 4=LOC_PROT_ERR, 5=WR_FLUSH_ERR, 6=MW_BIND_ERR, 7=BAD_RESP_ERR,"
                        + " 8=LOC_ACCESS_ERR, 9=REM_INV_REQ_ERR, 10=REM_ACCESS_ERR,"
                        + " 11=REM_OP_ERR, 12=RETRY_EXC_ERR, 13=RNR_RETRY_EXC_ERR,"
                        + " 14=LOC_RDD_VIOL_ERR, 15=REM_INV_RD_REQ_ERR, 16=REM_ABORT_ERR,"
                        + " 17=INV_EECN_ERR, 18=INV_EEC_STATE_ERR, 19=FATAL_ERR,"
                        + " 20=RESP_TIMEOUT_ERR, 21=GENERAL_ERR, 101=EPERM, 102=ENOENT,"
                        + " 104=EINTR, 105=EIO, 111=EAGAIN, 112=ENOMEM, 114=EFAULT, 116=EBUSY,"
                        + " 122=EINVAL, 128=ENOSPC, 138=ENOSYS, 204=ECONNRESET, 210=ETIMEDOUT,"
                        + " 211=ECONNREFUSED}");
    }

    @Test
    void everyStatusIsFoundByItsCode() {
        for (VerbsStatus status : VerbsStatus.values()) {
            assertThat(VerbsStatus.of(status.code())).isSameAs(status);
        }
        assertThat(VerbsStatus.of(99)).isSameAs(VerbsStatus.GENERAL_ERR);
        assertThat(VerbsStatus.of(-1)).isSameAs(VerbsStatus.GENERAL_ERR);
        assertThat(VerbsStatus.of(1 << 20)).isSameAs(VerbsStatus.GENERAL_ERR);
    }

    @Test
    void vendorErrorsAreDenseFromZero() {
        VendorError[] errors = VendorError.values();
        for (int i = 0; i < errors.length; i++) {
            assertThat(errors[i].code()).isEqualTo(i);
            assertThat(VendorError.of(i)).isSameAs(errors[i]);
        }
        assertThat(VendorError.of(errors.length)).isSameAs(VendorError.ENGINE_FAULT);
    }

    @Test
    void completionOpcodesAreThoseOfTheVerbsHeader() {
        assertThat(WorkCompletion.Opcode.values())
                .extracting(WorkCompletion.Opcode::code)
                .isEqualTo(List.of(0, 1, 2, 3, 4, 5, 6, 128, 129));
        for (WorkCompletion.Opcode opcode : WorkCompletion.Opcode.values()) {
            assertThat(WorkCompletion.Opcode.of(opcode.code())).isSameAs(opcode);
        }
    }

    @Test
    void accessMaskAndSetAreTheSame() {
        for (int mask = 0; mask <= Access.ALL_BITS; mask++) {
            assertThat(Access.mask(Access.of(mask))).isEqualTo(mask);
        }
        assertThat(Access.of(~Access.ALL_BITS)).isEmpty();
        assertThat(Access.mask(EnumSet.allOf(Access.class))).isEqualTo(Access.ALL_BITS);
    }

    @Test
    void attributeBitsAreThoseOfTheVerbsHeader() {
        assertThat(QpAttribute.values())
                .extracting(QpAttribute::bitNumber)
                .isEqualTo(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 20));
    }

    @Test
    void endpointReadsBackWhatItWrote() {
        Endpoint endpoint = new Endpoint(0xffff, 0xfffffe, 0x123456, -4096L, 0xdeadbeef, 1L << 33);

        assertThat(Endpoint.parse(endpoint.format())).isEqualTo(endpoint);
        assertThatThrownBy(() -> Endpoint.parse("1:2:3")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Endpoint.parse("x:2:3:4:5:6")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void attributesAreImmutable() {
        QpAttributes one = QpAttributes.to(QpState.INIT);

        QpAttributes two = one.with(QpAttribute.PORT, 1);

        assertThat(one.has(QpAttribute.PORT)).isFalse();
        assertThat(two.get(QpAttribute.PORT)).isEqualTo(1);
        assertThat(two.without(QpAttribute.PORT)).isEqualTo(one);
        assertThatThrownBy(() -> one.get(QpAttribute.PORT)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void completionExplainsItselfInWords() {
        WorkCompletion completion = new WorkCompletion();
        completion.fill(1, VerbsStatus.REM_ACCESS_ERR, WorkCompletion.Opcode.SEND, 0, 5);
        completion.fillFault(VendorError.KEY_NOT_IN_PD, 0x1234, 3, 0, 0);

        assertThat(completion.explain())
                .isEqualTo("REM_ACCESS_ERR remote access error: key 0x1234 is not a key of PD 3");
    }
}
