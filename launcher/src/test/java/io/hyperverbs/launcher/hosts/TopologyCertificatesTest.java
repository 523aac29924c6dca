package io.hyperverbs.launcher.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.SignatureException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TopologyCertificatesTest {
    private static final String SERVER = "1.3.6.1.5.5.7.3.1";
    private static final String CLIENT = "1.3.6.1.5.5.7.3.2";
    private static final Instant NOW = Instant.ofEpochSecond(2_000_000_000);

    private final TopologyCertificates certificates = new TopologyCertificates("rack", NOW);

    private static X509Certificate certificate(String pem) throws Exception {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void aHostIsAServerAloneAndTheOperatorAClientAlone() throws Exception {
        X509Certificate host = certificate(certificates.host("n1").certificate());
        X509Certificate operator = certificate(certificates.operator().certificate());

        assertThat(host.getExtendedKeyUsage()).containsExactly(SERVER);
        assertThat(operator.getExtendedKeyUsage()).containsExactly(CLIENT);
        assertThat(host.getSubjectX500Principal().getName()).isEqualTo("CN=n1");
        assertThat(operator.getSubjectX500Principal().getName()).isEqualTo("CN=operator");
        assertThat(host.getBasicConstraints()).as("it signs nobody").isEqualTo(-1);
    }

    @Test
    void theTopologysAuthoritySignsForThirtyDays() throws Exception {
        X509Certificate authority = certificate(certificates.authority());
        X509Certificate host = certificate(certificates.host("n1").certificate());

        host.verify(authority.getPublicKey());

        assertThat(host.getNotAfter().toInstant()).isEqualTo(NOW.plus(Duration.ofDays(30)));
        assertThat(((ECPublicKey) host.getPublicKey()).getParams().getOrder().bitLength())
                .isEqualTo(256);
        X509Certificate other = certificate(new TopologyCertificates("rack", NOW).authority());
        assertThatThrownBy(() -> host.verify(other.getPublicKey())).isInstanceOf(SignatureException.class);
    }

    @Test
    void aKeyDoesNotComeIntoAMessage() {
        assertThat(certificates.operator().key()).contains("PRIVATE KEY");
        assertThat(certificates.operator().toString()).doesNotContain("PRIVATE KEY");
    }
}
