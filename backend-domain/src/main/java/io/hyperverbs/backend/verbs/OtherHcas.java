package io.hyperverbs.backend.verbs;

import io.hyperverbs.backend.session.Refusal;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.vmm.hypercall.DomainPlace;
import io.hyperverbs.vmm.hypercall.HypercallException;
import java.util.Optional;

/**
 * Guests of other HCAs of the machine. Guests here may know their names; if the manager knows no way to
 * other HCAs, this is the one place that says so. Any thread.
 */
final class OtherHcas {
    private final DeviceServices services;

    OtherHcas(DeviceServices services) {
        this.services = services;
    }

    /**
     * Refuses a guest of another HCA. Whom nobody knows is refused where guests are looked up.
     *
     * @throws Refusal ENOENT, with the HCA that it is on
     */
    void refuse(Destination to) throws Refusal {
        boolean wired = !services.ports().addresses().isEmpty();
        if (!wired
                || services.management().asksOthers()
                || !(to instanceof Destination.Guest guest)
                || services.management().knows(guest.name())) {
            return;
        }
        // Under no lock: the VMM is asked.
        Optional<DomainPlace> place = find(guest.name());
        String own = services.machine().boot().hca();
        if (place.isPresent() && !place.get().hca().equals(own)) {
            throw new Refusal(
                    VerbsStatus.ENOENT,
                    "guest " + guest.name() + " is on HCA " + place.get().hca() + ", and there is no wire to it");
        }
    }

    private Optional<DomainPlace> find(String guest) throws Refusal {
        try {
            return services.machine().find(guest);
        } catch (HypercallException e) {
            throw Refusal.of(e, "guest");
        }
    }
}
