"""Packets of RoCEv2 before Scapy, which has its own codecs and ICRC.

read            reads packets from standard input, IPv4 header to ICRC, one a line in hex;
                prints for each what Scapy reads, and the ICRC that it computes.
make SEED COUNT prints so many random packets of Scapy's, with what they are made of.
"""

import logging
import random
import sys

logging.getLogger("scapy").setLevel(logging.ERROR)

from scapy.compat import raw  # noqa: E402
from scapy.contrib.roce import AETH, BTH, CNPPadding, CNP_OPCODE, _bth_opcodes  # noqa: E402
from scapy.layers.inet import IP, UDP  # noqa: E402
from scapy.packet import Raw  # noqa: E402

RC_ACKNOWLEDGE = 0x11
BTH_FIELDS = ("opcode", "solicited", "migreq", "padcount", "version", "pkey", "fecn", "becn", "dqpn", "ackreq", "psn")


def described(packet):
    """Fields by name, and what comes after the BTH."""
    bth = packet[BTH]
    words = ["%s=%d" % (name, getattr(bth, name)) for name in BTH_FIELDS]
    words.append("src=%s" % packet[IP].src)
    words.append("dst=%s" % packet[IP].dst)
    words.append("id=%d" % packet[IP].id)
    words.append("sport=%d" % packet[UDP].sport)
    words.append("icrc=%08x" % bth.icrc)
    if AETH in packet:
        words.append("syndrome=%d" % packet[AETH].syndrome)
        words.append("msn=%d" % packet[AETH].msn)
    words.append("after=%s" % raw(bth.payload).hex())
    return words


def read():
    for line in sys.stdin:
        sent = bytes.fromhex(line)
        packet = IP(sent)
        words = described(packet)
        # A field that is deleted is computed when the packet is built.
        del packet[BTH].icrc
        del packet[IP].chksum
        built = raw(packet)
        words.append("computed=%08x" % IP(built)[BTH].icrc)
        words.append("built=%s" % ("same" if built == sent else "other"))
        print(" ".join(words))


def make(seed, count):
    draw = random.Random(seed)
    opcodes = sorted(_bth_opcodes)
    for _ in range(count):
        opcode = draw.choice(opcodes)
        after = Raw(draw.randbytes(4 * draw.choice((7, 8, 9, 16, 64, 256, 1024)) + 4 * draw.randrange(4)))
        if opcode == RC_ACKNOWLEDGE:
            after = AETH(syndrome=draw.randrange(128), msn=draw.randrange(1 << 24))
        elif opcode == CNP_OPCODE:
            after = CNPPadding()
        address = [".".join(str(draw.randrange(256)) for _ in range(4)) for _ in range(2)]
        packet = (
            IP(
                src=address[0],
                dst=address[1],
                id=draw.randrange(1 << 16),
                tos=draw.randrange(256),
                ttl=draw.randrange(1, 256),
                flags="DF",
            )
            / UDP(sport=draw.randrange(1 << 16), dport=4791)
            / BTH(
                opcode=opcode,
                solicited=draw.randrange(2),
                migreq=draw.randrange(2),
                padcount=draw.randrange(4),
                pkey=draw.randrange(1 << 16),
                fecn=draw.randrange(2),
                becn=draw.randrange(2),
                dqpn=draw.randrange(1 << 24),
                ackreq=draw.randrange(2),
                psn=draw.randrange(1 << 24),
            )
            / after
        )
        built = raw(packet)
        print(" ".join(described(IP(built)) + ["packet=%s" % built.hex()]))


if sys.argv[1] == "read":
    read()
else:
    make(int(sys.argv[2]), int(sys.argv[3]))
