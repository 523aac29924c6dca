package io.hyperverbs.launcher.node;

import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLException;

/**
 * TLS between the operator of a topology and its hosts: version 1.3, a certificate on both sides, and nobody is believed
 * but the topology's own authority.
 */
public final class NodeTls {
    /** Whom the operator's certificate is for; a host's is for the host's name. */
    public static final String OPERATOR = "operator";

    private static final String VERSION = "TLSv1.3";

    private NodeTls() {}

    /**
     * Who somebody is, in PEM.
     *
     * @param certificate signed by the topology's authority
     * @param key the private key that belongs to it, PKCS #8
     */
    public record Identity(String certificate, String key) {
        /** Without the key: this may come into a message. */
        @Override
        public String toString() {
            return certificate;
        }
    }

    /**
     * For a host.
     *
     * @param authority certificate of the topology's authority, PEM
     */
    static SslContext server(String authority, Identity own) throws SSLException {
        SslContextBuilder builder = SslContextBuilder.forServer(stream(own.certificate), stream(own.key))
                .trustManager(stream(authority))
                .clientAuth(ClientAuth.REQUIRE)
                .protocols(VERSION);
        return GrpcSslContexts.configure(builder, SslProvider.JDK).build();
    }

    /** For the operator. */
    public static SslContext client(String authority, Identity own) throws SSLException {
        SslContextBuilder builder = SslContextBuilder.forClient()
                .trustManager(stream(authority))
                .keyManager(stream(own.certificate), stream(own.key))
                .protocols(VERSION);
        return GrpcSslContexts.configure(builder, SslProvider.JDK).build();
    }

    private static InputStream stream(String pem) {
        return new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8));
    }
}
