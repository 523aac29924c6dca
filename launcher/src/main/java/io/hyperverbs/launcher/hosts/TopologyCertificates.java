package io.hyperverbs.launcher.hosts;

import io.hyperverbs.launcher.node.NodeTls;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Certificates of one topology: an authority made for it, whose key this object alone has and which is gone with it, and
 * what the authority signs. EC keys on P-256. One thread.
 */
public final class TopologyCertificates {
    /** A topology that runs for longer does not answer any more; its hosts can still be ended by their launcher. */
    static final Duration VALID = Duration.ofDays(30);

    /** Clocks of hosts differ. */
    private static final Duration BEFORE = Duration.ofHours(1);

    private static final String CURVE = "secp256r1";
    private static final String SIGNATURE = "SHA256withECDSA";
    private static final int SERIAL_BITS = 128;

    private final SecureRandom random = new SecureRandom();
    private final Instant now;
    private final X500Principal name;
    private final KeyPair keys;
    private final X509Certificate authority;

    /**
     * @param topology its name, which is in the authority's
     */
    public TopologyCertificates(String topology, Instant now) {
        this.now = now;
        this.name = new X500Principal("CN=topology " + topology + ",SERIALNUMBER=" + serial().toString(16));
        try {
            keys = newKeys();
            JcaX509v3CertificateBuilder builder = builder(name, keys);
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign));
            authority = signed(builder);
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException("this Java makes no certificate", e);
        }
    }

    /** The authority's certificate, PEM. */
    public String authority() {
        return pem(authority);
    }

    /** Of who asks hosts; good for a client alone. */
    public NodeTls.Identity operator() {
        return identity(NodeTls.OPERATOR, KeyPurposeId.id_kp_clientAuth);
    }

    /** Of a host; good for a server alone. */
    public NodeTls.Identity host(String host) {
        return identity(host, KeyPurposeId.id_kp_serverAuth);
    }

    private NodeTls.Identity identity(String who, KeyPurposeId purpose) {
        try {
            KeyPair own = newKeys();
            JcaX509v3CertificateBuilder builder = builder(new X500Principal("CN=" + who), own);
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
            builder.addExtension(Extension.extendedKeyUsage, true, new ExtendedKeyUsage(purpose));
            GeneralNames names = new GeneralNames(new GeneralName(GeneralName.dNSName, who));
            builder.addExtension(Extension.subjectAlternativeName, false, names);
            return new NodeTls.Identity(pem(signed(builder)), pem(new JcaPKCS8Generator(own.getPrivate(), null)));
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException("this Java makes no certificate", e);
        }
    }

    private KeyPair newKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec(CURVE), random);
        return generator.generateKeyPair();
    }

    private BigInteger serial() {
        return new BigInteger(SERIAL_BITS, random).add(BigInteger.ONE);
    }

    private JcaX509v3CertificateBuilder builder(X500Principal subject, KeyPair subjects) {
        return new JcaX509v3CertificateBuilder(
                name,
                serial(),
                Date.from(now.minus(BEFORE)),
                Date.from(now.plus(VALID)),
                subject,
                subjects.getPublic());
    }

    private X509Certificate signed(JcaX509v3CertificateBuilder builder)
            throws OperatorCreationException, GeneralSecurityException {
        return new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder(SIGNATURE).build(keys.getPrivate())));
    }

    private static String pem(Object object) {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(object);
        } catch (IOException e) {
            throw new IllegalStateException("no PEM of " + object.getClass(), e);
        }
        return text.toString();
    }
}
