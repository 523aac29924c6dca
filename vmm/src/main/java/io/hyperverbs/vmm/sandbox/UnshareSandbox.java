package io.hyperverbs.vmm.sandbox;

import io.hyperverbs.vmm.posix.Seccomp;
import java.util.ArrayList;
import java.util.List;

/**
 * The same as {@link BubblewrapSandbox}, made by unshare, mount and pivot_root in a small script.
 */
final class UnshareSandbox implements Sandbox {
    /**
     * Arguments: where to build the new root, the program that brings {@code lo} up as a format of
     * printf or nothing, a host name or nothing, then pairs of a path and its name inside (read-only but for devices; of a size, a file
     * system in memory, if the name starts with =; a link to it, if the name starts with @; an empty folder, if it ends
     * with /), then {@code --} and the command. A new root
     * that is shown is made of mounts alone, so it needs no place of its own but a mount point.
     */
    private static final String SCRIPT = """
        set -e
        umask 022
        root=$1; shift
        mkdir -p "$root"
        mount -t tmpfs -o mode=755,size=1m,nosuid,nodev hv "$root"
        cd "$root"
        if [ -n "$1" ]; then
            printf "$1" > up; chmod 700 up; ./up; rm up
        fi
        shift
        if [ -n "$1" ]; then
            { hostname "$1" || echo "$1" > /proc/sys/kernel/hostname; } 2>/dev/null || :
        fi
        shift
        mkdir -p usr etc proc dev tmp old
        show() {
            if [ -d "$1" ]; then mkdir -p "./$2"; else mkdir -p "./${2%/*}"; : > "./$2"; fi
            mount --bind "$1" "./$2"
        }
        while [ "$1" != -- ]; do
            case $2 in
                =*) mount -t tmpfs -o "mode=1777,size=$1,nr_inodes=16k,nosuid,nodev" hv "./${2#=}" ;;
                @*) ln -s "$1" "./${2#@}" ;;
                */) mkdir -p "./$2" ;;
                dev/*) show "$1" "$2" ;;
                *) show "$1" "$2"; mount -o remount,bind,ro,nosuid "./$2" ;;
            esac
            shift 2
        done
        shift
        for path in bin lib lib64 sbin; do
            if [ -L /$path ]; then
                ln -s "$(readlink /$path)" $path
            elif [ -d /$path ]; then
                show /$path $path
                mount -o remount,bind,ro,nosuid ./$path
            fi
        done
        mount -t proc -o nosuid,nodev,noexec proc proc
        mount --bind proc/sys proc/sys
        mount -o remount,bind,ro,nosuid,nodev,noexec proc/sys
        mount -t tmpfs -o mode=1777,size=64m,nr_inodes=16k,nosuid,nodev hv tmp
        pivot_root . old
        cd /
        rmdir "/old$root"
        umount -l /old
        rmdir /old
        mount -o remount,bind,ro,nosuid,nodev /
        cd /hv/run
        # Not exec: unshare loses the exit code of a first process that a signal ends.
        "$@"
        """;

    private final SandboxTier tier;

    UnshareSandbox(SandboxTier tier) {
        this.tier = tier;
    }

    @Override
    public SandboxTier tier() {
        return tier;
    }

    @Override
    public String description() {
        return tier == SandboxTier.ROOT ? "unshare + setpriv" : "unshare, user namespace";
    }

    @Override
    public String maker() {
        return "unshare";
    }

    @Override
    public List<String> command(ConfinedJvm jvm) {
        List<String> command = new ArrayList<>();
        String unshare = Tools.get("unshare");
        command.addAll(GuestView.joinNetwork(jvm, tier));
        if (tier == SandboxTier.USER) {
            // Also below that of a network which it has joined: it has no rights over that, and threads of its own.
            command.addAll(List.of(unshare, "--user", "--map-root-user"));
        }
        // After the user namespace, which forgets who the parent was.
        command.addAll(GuestView.dieWithParent());
        command.addAll(List.of(unshare, "--mount", "--pid", "--fork", "--kill-child"));
        if (GuestView.network(jvm).isEmpty()) {
            command.add("--net");
        }
        command.addAll(List.of("--ipc", "--uts", "--propagation", "private"));
        command.addAll(List.of(Tools.get("sh"), "-c", SCRIPT, "sandbox"));
        command.add(jvm.folder().resolve(".root").toString());
        // Where the processor is another, lo stays down, and there is no filter of system calls.
        boolean up = Seccomp.AVAILABLE && GuestView.network(jvm).isEmpty();
        command.add(up ? LoopbackProgram.printfFormat() : "");
        command.add(jvm.executables().map(ExecutableView::host).orElse(""));
        command.addAll(List.of("/usr", "usr"));
        List<GuestView.Shown> shownToGuest = new ArrayList<>(GuestView.loaded(jvm));
        shownToGuest.addAll(GuestView.devices(jvm));
        for (GuestView.Shown shown : shownToGuest) {
            command.addAll(List.of(shown.path().toString(), relative(shown.view())));
        }
        if (jvm.executables().isPresent()) {
            command.addAll(List.of("/tmp", "@" + relative(GuestView.SHARED_MEMORY)));
            command.addAll(List.of("-", relative(GuestView.NETWORK_DEVICES) + "/"));
        }
        command.addAll(List.of(jvm.folder().toString(), relative(GuestView.FOLDER)));
        command.addAll(List.of(Long.toString(GuestView.OUT_BYTES), "=" + relative(GuestView.OUT)));
        command.add("--");
        command.addAll(tier == SandboxTier.ROOT ? GuestView.dropToUser(jvm.uid()) : GuestView.dropPrivileges());
        command.addAll(GuestView.limitedJvm(jvm));
        return command;
    }

    private static String relative(String path) {
        return path.substring(1);
    }
}
