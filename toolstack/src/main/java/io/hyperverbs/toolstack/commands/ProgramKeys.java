package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.MachineException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the store has of programs that a guest is to run: {@code domain/tool/exec/<domain id>/<n>}, of which {@code last} is
 * the last; the guest answers with the exit code under its own {@code exec/<n>}, and removes that when the program's key is
 * gone. Keys of a program go when its exit code was read; those of a cancelled one, for whose end nobody waits, when
 * another is submitted. Any thread.
 */
final class ProgramKeys {
    /** The store of a machine, by whole paths. */
    interface Store {
        /**
         * @throws MachineException EAGAIN above the quota
         */
        void write(String path, String value) throws MachineException;

        void remove(String path) throws MachineException;

        /**
         * @param wait for the key to be there
         */
        Optional<String> read(String path, Duration wait) throws MachineException;
    }

    /** A program that the guest is to run. Any thread. */
    final class Submitted {
        private final int number;

        private Submitted(int number) {
            this.number = number;
        }

        int number() {
            return number;
        }

        /** The guest ends it; nothing if it has ended, or the guest has. */
        void cancel() {
            try {
                int _ = locked(() -> {
                    List<String> cancelled = cancelled();
                    cancelled.add(Integer.toString(number));
                    store.write(cancelKey(number), "");
                    store.write(key("cancelled"), String.join(" ", cancelled));
                    return number;
                });
            } catch (MachineException | IOException e) {
                // The machine is gone, and the guest with it.
            }
        }

        /** The guest's answer, when it has ended. */
        Optional<String> exitCode() {
            return ProgramKeys.this.exitCode(number);
        }

        /** Nobody asks for its exit code any more. */
        void forget() {
            ProgramKeys.this.forget(number);
        }

        /** Whether it has ended, or does so within that time; nobody asks for its exit code then. */
        boolean awaitEnd(Duration time) {
            try {
                boolean ended = store.read(exitKey(number), time).isPresent();
                if (ended) {
                    forget();
                }
                return ended;
            } catch (MachineException e) {
                // The guest has ended, and all that it ran.
                return true;
            }
        }
    }

    private final Store store;
    private final Path lock;
    private final String guest;
    private final int domain;

    /**
     * @param lock a file that all who submit programs to the machine lock
     * @param domain number of the guest, which no other has had
     */
    ProgramKeys(Store store, Path lock, String guest, int domain) {
        this.store = store;
        this.lock = lock;
        this.guest = guest;
        this.domain = domain;
    }

    /** Of a guest of a machine that runs. */
    static ProgramKeys of(RunningMachine machine, DomainReport guest) {
        return new ProgramKeys(storeOf(machine.client()), machine.folder().numbersLock(), guest.name(), guest.id());
    }

    private static Store storeOf(MachineClient machine) {
        return new Store() {
            @Override
            public void write(String path, String value) throws MachineException {
                machine.storeWrite(path, value);
            }

            @Override
            public void remove(String path) throws MachineException {
                machine.storeRemove(path);
            }

            @Override
            public Optional<String> read(String path, Duration wait) throws MachineException {
                return machine.storeRead(path, wait);
            }
        };
    }

    /** Takes the next number, one process after the other: two that look at once would take the same. */
    Submitted submit(String job) throws HvException, IOException {
        try {
            int taken = locked(() -> {
                forgetCancelled();
                int number = store.read(key("last"), Duration.ZERO)
                                .map(Integer::parseInt)
                                .orElse(0)
                        + 1;
                store.write(key(Integer.toString(number)), job);
                store.write(key("last"), Integer.toString(number));
                return number;
            });
            return new Submitted(taken);
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    private Optional<String> exitCode(int number) {
        try {
            return store.read(exitKey(number), Duration.ZERO);
        } catch (MachineException e) {
            return Optional.empty();
        }
    }

    private void forget(int number) {
        try {
            store.remove(key(Integer.toString(number)));
        } catch (MachineException e) {
            // The machine is gone, and its store with it.
        }
    }

    private void forgetCancelled() throws MachineException {
        List<String> all = cancelled();
        List<String> left = new ArrayList<>();
        for (String text : all) {
            int number = Integer.parseInt(text);
            boolean isForgotten = store.read(key(text), Duration.ZERO).isEmpty();
            if (isForgotten || exitCode(number).isPresent()) {
                forget(number);
                store.remove(cancelKey(number));
            } else {
                left.add(text);
            }
        }
        if (left.size() < all.size()) {
            store.write(key("cancelled"), String.join(" ", left));
        }
    }

    private List<String> cancelled() throws MachineException {
        String numbers = store.read(key("cancelled"), Duration.ZERO).orElse("");
        return new ArrayList<>(numbers.isEmpty() ? List.of() : List.of(numbers.split(" ", -1)));
    }

    private String key(String name) {
        return "domain/tool/exec/" + domain + "/" + name;
    }

    private String exitKey(int number) {
        return "domain/" + guest + "/exec/" + number;
    }

    private String cancelKey(int number) {
        return "domain/tool/cancel/" + domain + "/" + number;
    }

    @FunctionalInterface
    private interface Step {
        int run() throws MachineException;
    }

    private synchronized int locked(Step step) throws IOException, MachineException {
        try (FileChannel file = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = file.lock()) {
            return step.run();
        }
    }
}
