package io.hyperverbs.vmm.domain;

import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One HCA as the VMM keeps it: its device domain, the notices to it and what is asked of it. A guest
 * belongs to one HCA from its start to its end. Callable from any thread.
 */
final class HcaRecord {
    private final String name;
    private final NoticeQueue notices = new NoticeQueue(System::nanoTime);
    private final BackendQuestions questions = new BackendQuestions(notices);
    private final LetGo letGo;
    private final AtomicBoolean captured = new AtomicBoolean();
    private volatile @Nullable DomainRecord deviceDomain;

    /**
     * @param name its name in the topology
     * @param table of all domains
     */
    HcaRecord(String name, DomainTable table) {
        this.name = name;
        this.letGo = new LetGo(notices, table, this::answersNobody, LetGo.Limits.STANDARD, System::nanoTime);
    }

    String name() {
        return name;
    }

    NoticeQueue notices() {
        return notices;
    }

    BackendQuestions questions() {
        return questions;
    }

    LetGo letGo() {
        return letGo;
    }

    /** The domain that owns it; null until that one starts. */
    @Nullable
    DomainRecord deviceDomain() {
        return deviceDomain;
    }

    /** Those of its device domain; none until that one starts. */
    Map<String, String> settings() {
        DomainRecord owner = deviceDomain;
        return owner == null ? Map.of() : owner.spec().settings();
    }

    /** Said once, by the thread that starts the device domain. */
    void ownedBy(DomainRecord domain) {
        deviceDomain = domain;
    }

    /** Whether nobody captured what passes it; from now on somebody does. */
    boolean beginCapture() {
        return captured.compareAndSet(false, true);
    }

    void endCapture() {
        captured.set(false);
    }

    private void answersNobody() {
        DomainRecord domain = deviceDomain;
        if (domain != null) {
            HcaTable.killSilent(domain);
        }
    }
}
