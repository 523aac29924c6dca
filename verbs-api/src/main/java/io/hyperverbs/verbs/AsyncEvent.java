package io.hyperverbs.verbs;

/**
 * Something happened to an object outside any work request ({@code ibv_async_event}).
 *
 * @param type what
 * @param number QPN, CQ number, SRQ number or port number it happened to
 */
public record AsyncEvent(Type type, int number) {
    /** What kind of object {@link #number} names. */
    public enum Subject {
        CQ,
        QP,
        SRQ,
        PORT,
        DEVICE
    }

    /** {@code ibv_event_type}, with its codes. */
    public enum Type {
        CQ_ERR(0),
        QP_FATAL(1),
        QP_REQ_ERR(2),
        QP_ACCESS_ERR(3),
        COMM_EST(4),
        SQ_DRAINED(5),
        DEVICE_FATAL(8),
        PORT_ACTIVE(9),
        PORT_ERR(10),
        SRQ_ERR(14),
        SRQ_LIMIT_REACHED(15),
        QP_LAST_WQE_REACHED(16);

        private static final Type[] BY_CODE = new Type[17];

        static {
            for (Type type : values()) {
                BY_CODE[type.code] = type;
            }
        }

        private final int code;

        Type(int code) {
            this.code = code;
        }

        public int code() {
            return code;
        }

        /** What it happens to. */
        public Subject subject() {
            return switch (this) {
                case CQ_ERR -> Subject.CQ;
                case QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR, COMM_EST, SQ_DRAINED, QP_LAST_WQE_REACHED -> Subject.QP;
                case SRQ_ERR, SRQ_LIMIT_REACHED -> Subject.SRQ;
                case PORT_ACTIVE, PORT_ERR -> Subject.PORT;
                case DEVICE_FATAL -> Subject.DEVICE;
            };
        }

        /** The type with that code; an unknown code is {@link #DEVICE_FATAL}. */
        public static Type of(int code) {
            Type type = code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
            return type == null ? DEVICE_FATAL : type;
        }
    }
}
