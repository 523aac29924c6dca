package io.hyperverbs.verbs.sa;

import io.hyperverbs.verbs.VerbsObject;

/** A service record that stands until its lease ends or this is closed. */
public interface ServiceRegistration extends VerbsObject {
    ServiceRecord record();
}
