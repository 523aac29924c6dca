package io.hyperverbs.vmm.sandbox;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Locale;

/**
 * A program of 205 bytes that brings {@code lo} up in the network namespace it runs in, as the
 * script of {@link UnshareSandbox} writes it: no tool that this project demands can do that, and a
 * JVM would cost each guest 100 ms. A new namespace has a {@code lo} that is down, and Java then
 * finds no network interface and throws. Its exit code is 0, or an errno.
 *
 * <p>Sources: elf(5) for the two headers, netdevice(7) for the request.
 */
final class LoopbackProgram {
    private static final long LOADED_AT = 0x40_0000;
    private static final int HEADER_BYTES = 64;
    private static final int SEGMENT_BYTES = 56;
    private static final short EXECUTABLE = 2;
    private static final short X86_64 = 62;
    private static final int LOADED = 1;
    private static final int READ_AND_EXECUTE = 5;
    private static final long PAGE_BYTES = 4096;

    /** {@code struct ifreq}: the name in 16 bytes, flags, padding. */
    private static final int REQUEST_BYTES = 40;

    private static final int FLAGS_OFFSET = 16;

    /** IFF_UP and IFF_RUNNING. */
    private static final short UP_AND_RUNNING = 0x41;

    /** The request lies right behind the code, 11 bytes after the instruction that names it. */
    private static final byte[] CODE = HexFormat.of()
            .parseHex(
                    "6a2958" // push 41; pop rax: socket
                            + "6a025f" // push 2; pop rdi: AF_INET
                            + "6a025e" // push 2; pop rsi: SOCK_DGRAM
                            + "31d2" // xor edx, edx
                            + "0f05" // syscall
                            + "85c0" // test eax, eax
                            + "7813" // js end
                            + "89c7" // mov edi, eax
                            + "6a1058" // push 16; pop rax: ioctl
                            + "be14890000" // mov esi, SIOCSIFFLAGS
                            + "488d150b000000" // lea rdx, [rip + 11]: the request
                            + "0f05" // syscall
                            + "f7d8" // end: neg eax
                            + "89c7" // mov edi, eax
                            + "6a3c58" // push 60; pop rax: exit
                            + "0f05"); // syscall

    private LoopbackProgram() {}

    /** The program as a format of printf(1): each byte a backslash and three octal digits. */
    static String printfFormat() {
        StringBuilder text = new StringBuilder();
        for (byte b : bytes()) {
            text.append(String.format(Locale.ROOT, "\\%03o", Byte.toUnsignedInt(b)));
        }
        return text.toString();
    }

    /** Writes it as a file that can be run. */
    static void write(Path file) throws IOException {
        Files.write(file, bytes());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private static byte[] bytes() {
        int start = HEADER_BYTES + SEGMENT_BYTES;
        int size = start + CODE.length + REQUEST_BYTES;
        ByteBuffer program = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        program.put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1}).position(16);
        program.putShort(EXECUTABLE).putShort(X86_64).putInt(1).putLong(LOADED_AT + start);
        program.putLong(HEADER_BYTES).putLong(0).putInt(0);
        program.putShort((short) HEADER_BYTES).putShort((short) SEGMENT_BYTES).putShort((short) 1);
        program.position(HEADER_BYTES);
        program.putInt(LOADED).putInt(READ_AND_EXECUTE).putLong(0);
        program.putLong(LOADED_AT).putLong(LOADED_AT).putLong(size).putLong(size);
        program.putLong(PAGE_BYTES).put(CODE);
        int request = program.position();
        program.put((byte) 'l').put((byte) 'o');
        program.putShort(request + FLAGS_OFFSET, UP_AND_RUNNING);
        return program.array();
    }
}
