package io.hyperverbs.lab.run.ip;

import java.nio.file.Path;

/**
 * Two domains between whose networks sockets are measured.
 *
 * @param word the data path of both
 * @param client network namespace of one
 * @param server that of the other
 * @param address IPv4 address of the other
 */
public record IpPair(String word, Path client, Path server, String address) {}
