package io.hyperverbs.toolstack.kubernetes;

/**
 * What all pods of a manifest have alike.
 *
 * @param image with {@code hv} and a JDK
 * @param namespace that the objects are to be in; empty for that of whoever applies them
 * @param port TCP port on each host's address
 */
public record PodSettings(String image, String namespace, int port) {}
