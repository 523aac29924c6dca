package io.hyperverbs.launcher.topology;

import io.hyperverbs.launcher.failure.Suggestion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Programs of guests: their files are there, and who calls a guest calls one that is. */
final class AppCheck {
    private final @Nullable Path folder;
    private final KnownPrograms known;

    /**
     * @param folder where relative file names start; null where files are not looked for
     */
    AppCheck(@Nullable Path folder, KnownPrograms known) {
        this.folder = folder;
        this.known = known;
    }

    void check(List<Guest> guests, QuotaSums.Report report) {
        List<String> names = guests.stream().map(Guest::name).toList();
        for (Guest guest : guests) {
            if (guest.app().isPresent()) {
                Guest.App app = guest.app().get();
                String pointer = "/guests/" + guest.name() + "/app";
                if (app.isExecutable()) {
                    checkRoom(guest, pointer, report);
                } else {
                    checkFile(app, pointer, report);
                    checkPeer(guest, app, names, pointer, report);
                }
            }
        }
    }

    private static void checkRoom(Guest guest, String pointer, QuotaSums.Report report) {
        if (guest.nativeDomain()) {
            report.problem(pointer + "/exec", "exec: a native domain runs no executables", "leave native out");
        } else if (guest.executables().count() == 0) {
            report.problem(
                    pointer + "/exec",
                    "exec: " + guest.name() + " has no room for executables",
                    "executables: {} in the guest gives it some");
        }
    }

    private void checkFile(Guest.App app, String pointer, QuotaSums.Report report) {
        boolean isFile = app.main().endsWith(".java") || app.main().endsWith(".jar");
        if (folder != null && isFile && !Files.isRegularFile(folder.resolve(app.main()))) {
            report.problem(
                    pointer + "/main",
                    "main: no file " + app.main(),
                    "relative names start at the folder of this file");
        }
    }

    private void checkPeer(Guest guest, Guest.App app, List<String> names, String pointer, QuotaSums.Report report) {
        Optional<String> peer;
        try {
            peer = known.peer(app);
        } catch (IllegalArgumentException e) {
            report.problem(pointer + "/args", "args: " + e.getMessage(), "see " + app.main() + " --help");
            return;
        }
        if (peer.isEmpty()) {
            return;
        }
        if (peer.get().equals(guest.name())) {
            report.problem(pointer + "/args", "args: " + guest.name() + " calls itself", "name another");
        } else if (!names.contains(peer.get())) {
            report.problem(
                    pointer + "/args",
                    "args: no guest " + peer.get() + " for " + app.main() + " to call",
                    Suggestion.hintOrAll(peer.get(), names));
        }
    }
}
