package io.hyperverbs.backend.journal;

import io.hyperverbs.vmm.io.ManagementRequest;
import io.hyperverbs.vmm.text.VisibleText;

/** Management requests by the names of librdmacm and ib_sa. */
final class ManagementText {
    private static final int MAX_CHARACTERS = 240;

    private ManagementText() {}

    /** Names in it are the guest's: visible, on one line, and not without end. */
    static String printable(Object content) {
        String text = VisibleText.line(content.toString());
        return text.length() <= MAX_CHARACTERS ? text : text.substring(0, MAX_CHARACTERS) + " and more";
    }

    static String name(ManagementRequest request) {
        return switch (request) {
            case ManagementRequest.CreateChannel _ -> "cm_create_channel";
            case ManagementRequest.Listen _ -> "cm_listen";
            case ManagementRequest.Resolve _ -> "cm_resolve";
            case ManagementRequest.Connect _ -> "cm_req";
            case ManagementRequest.Accept _ -> "cm_rep";
            case ManagementRequest.Answer r ->
                switch (r.kind()) {
                    case RTU -> "cm_rtu";
                    case REJ -> "cm_rej";
                    case DISCONNECT -> "cm_disconnect";
                };
            case ManagementRequest.TakeEvents _ -> "cm_get_events";
            case ManagementRequest.Release _ -> "cm_release";
            case ManagementRequest.QueryOwnGid _ -> "sa_gid";
            case ManagementRequest.QueryPath _ -> "sa_path";
            case ManagementRequest.JoinGroup _ -> "sa_join";
            case ManagementRequest.QueryGroup _ -> "sa_members";
            case ManagementRequest.RegisterService _ -> "sa_register";
            case ManagementRequest.QueryServices _ -> "sa_services";
        };
    }
}
