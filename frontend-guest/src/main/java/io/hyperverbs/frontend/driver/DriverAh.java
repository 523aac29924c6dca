package io.hyperverbs.frontend.driver;

import io.hyperverbs.frontend.path.PrivilegedVerbs;
import io.hyperverbs.frontend.tree.Rollback;
import io.hyperverbs.frontend.tree.VerbsNode;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.AddressHandle;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import java.util.Locale;

/** An address handle. Any thread. */
final class DriverAh extends VerbsNode implements AddressHandle {
    private final DriverPd pd;
    private final ControlReply.AhCreated created;
    private final AddressAttributes attributes;

    private DriverAh(DriverPd pd, ControlReply.AhCreated created, AddressAttributes attributes) {
        this.pd = pd;
        this.created = created;
        this.attributes = attributes;
    }

    static DriverAh create(DriverPd pd, AddressAttributes attributes) throws VerbsException {
        PrivilegedVerbs verbs = pd.driverContext().parts().verbs();
        try (Rollback undo = new Rollback()) {
            ControlReply.AhCreated created =
                    verbs.call(new ControlRequest.CreateAh(pd.handle(), attributes), ControlReply.AhCreated.class);
            undo.add(() -> verbs.destroy(ObjectKind.AH, created.ah()));
            DriverAh ah = new DriverAh(pd, created, attributes);
            ah.dependOn(pd);
            undo.keep();
            return ah;
        }
    }

    @Override
    public ProtectionDomain pd() {
        return pd;
    }

    @Override
    public int number() {
        return created.number();
    }

    @Override
    public AddressAttributes attributes() {
        return attributes;
    }

    @Override
    public String describe() {
        return String.format(Locale.ROOT, "ah 0x%06x", created.number());
    }

    @Override
    protected void destroy() throws VerbsException {
        pd.driverContext().parts().verbs().destroy(ObjectKind.AH, created.ah());
    }
}
