package io.hyperverbs.vmm.process;

import java.util.Arrays;
import java.util.List;

/** {@code --folder PATH}, perhaps {@code --state PATH}, then the rest. */
record DomainArguments(String folder, List<String> rest) {
    static DomainArguments parse(String... args) {
        int next = 2;
        if (args.length > next && args[next].equals("--state")) {
            next += 2;
        }
        return new DomainArguments(args[1], Arrays.asList(args).subList(next, args.length));
    }
}
