package io.hyperverbs.lab.attacks.load;

import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Domain;
import io.hyperverbs.verbs.VerbsException;

/**
 * Where loads live: a domain and its device, opened once, as a program with several jobs does. A
 * context for each load would be more of them than a domain may have.
 */
record Home(Domain domain, Context context) {
    static Home of(Domain domain) throws VerbsException {
        return new Home(domain, domain.devices().getFirst().open());
    }
}
