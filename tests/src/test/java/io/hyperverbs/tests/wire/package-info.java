/**
 * Packets of the wire before judges that know nothing of this project: {@link
 * io.hyperverbs.tests.wire.TsharkTest} has Wireshark dissect one of every opcode, {@link
 * io.hyperverbs.tests.wire.ScapyTest} has Scapy read packets of ours, and reads those of Scapy. Both
 * are skipped where the judge is not installed.
 */
@NullMarked
package io.hyperverbs.tests.wire;

import org.jspecify.annotations.NullMarked;
