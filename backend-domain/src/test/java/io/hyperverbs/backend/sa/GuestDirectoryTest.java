package io.hyperverbs.backend.sa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.backend.gsi.Outbox;
import io.hyperverbs.backend.mad.MadHeaderLayout;
import io.hyperverbs.backend.mad.SaHeaderLayout;
import io.hyperverbs.backend.mad.ServiceRecordLayout;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.hca.port.WireAddresses;
import io.hyperverbs.hca.roce.ManagementDatagram;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PrivateData;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Two other HCAs are asked for a guest, and answer what the test says. */
class GuestDirectoryTest {
    private static final int ONE = 0x0a00_0003;
    private static final int OTHER = 0x0a00_0005;
    private static final Gid GUEST_OF_ONE = new PortSettings(2, 3, 2048, List.of(0xffff)).domainGid(4);
    private static final Gid GUEST_OF_OTHER = new PortSettings(2, 5, 2048, List.of(0xffff)).domainGid(4);

    private final NeighbourHcas neighbours =
            new NeighbourHcas(new WireAddresses(List.of(0x0a00_0001), Map.of(3, ONE, 5, OTHER)), List.of(ONE, OTHER));
    private final Outbox outbox = new Outbox();
    private final GuestDirectory directory = new GuestDirectory(neighbours, outbox, new SplittableRandom(2));
    private final Asker asker = new Asker();

    private GuestLookup look(long nowNanos) {
        return directory.byName(asker, "g", nowNanos);
    }

    /** What one of the HCAs was asked last. */
    private byte[] asked() {
        ManagementDatagram datagram = new ManagementDatagram();
        outbox.takeAll().getLast().into(datagram);
        return datagram.mad();
    }

    private static byte[] answer(byte[] query, Gid gid) {
        return GuestRecords.answer(MadHeaderLayout.TRANSACTION_ID.get(query), "g", gid, 1024);
    }

    @Test
    void theFirstAnswerIsBelievedForAWhile() {
        assertThat(look(0).state()).isEqualTo(GuestLookup.State.ASKED);
        byte[] query = asked();
        assertThat(look(0).state()).isEqualTo(GuestLookup.State.ASKED);
        directory.receive(GuestRecords.refusal(query, SaHeaderLayout.NO_RECORDS), OTHER, 0);
        directory.receive(answer(query, GUEST_OF_ONE), ONE, 0);

        RemoteGuest guest = new RemoteGuest("g", GUEST_OF_ONE, ONE, 1024);
        assertThat(look(1).guest()).isEqualTo(guest);
        assertThat(directory.byGid(asker, GUEST_OF_ONE, 1).guest()).isEqualTo(guest);
        assertThat(outbox.takeAll()).isEmpty();
        assertThat(directory.next()).isEqualTo(Long.MAX_VALUE);
        assertThat(look(GuestDirectory.FOUND_NANOS).state()).isEqualTo(GuestLookup.State.ASKED);
    }

    @Test
    void ofTwoOfTheSameNameTheLowerAddressIsMeant() {
        for (boolean reversed : List.of(true, false)) {
            long now = reversed ? 0 : 2 * GuestDirectory.FOUND_NANOS;
            var _ = look(now);
            byte[] query = asked();
            directory.receive(answer(query, reversed ? GUEST_OF_OTHER : GUEST_OF_ONE), reversed ? OTHER : ONE, now);
            directory.receive(answer(query, reversed ? GUEST_OF_ONE : GUEST_OF_OTHER), reversed ? ONE : OTHER, now);

            assertThat(look(now).guest()).extracting(RemoteGuest::address).isEqualTo(ONE);
        }
    }

    @Test
    void answersThatDoNotFitAreNone() {
        Stream<Consumer<byte[]>> damages = Stream.of(
                mad -> MadHeaderLayout.STATUS.set(mad, 1),
                mad -> ServiceRecordLayout.setName(mad, "hv.guest.other"),
                mad -> ServiceRecordLayout.setName(mad, "hv.guest.NO"),
                mad -> ServiceRecordLayout.NAME.set(mad, PrivateData.of("elsewhere")),
                mad -> ServiceRecordLayout.SERVICE_GID.set(mad, GUEST_OF_OTHER),
                mad -> ServiceRecordLayout.DATA.set(mad, PrivateData.of((byte) -1)),
                mad -> ServiceRecordLayout.DATA.set(mad, PrivateData.of((byte) 0)),
                mad -> ServiceRecordLayout.DATA.set(mad, PrivateData.of((byte) 6)),
                mad -> ServiceRecordLayout.DATA.set(mad, PrivateData.of((byte) 99)));
        long[] now = {0};
        damages.forEach(damage -> {
            now[0] += GuestDirectory.FOUND_NANOS;
            var _ = look(now[0]);
            byte[] query = asked();
            byte[] answer = answer(query, GUEST_OF_ONE);
            damage.accept(answer);
            directory.receive(answer, ONE, now[0]);
            directory.receive(GuestRecords.refusal(query, SaHeaderLayout.NO_RECORDS), OTHER, now[0]);

            assertThat(look(now[0])).isEqualTo(GuestLookup.NOBODY);
        });
    }

    @Test
    void answersToNoQuestionOrFromOthersAreNone() {
        var _ = look(0);
        byte[] answer = answer(asked(), GUEST_OF_ONE);
        directory.receive(answer, 7, 0);
        MadHeaderLayout.TRANSACTION_ID.set(answer, 1);
        directory.receive(answer, ONE, 0);

        assertThat(look(0).state()).isEqualTo(GuestLookup.State.ASKED);
    }

    @Test
    void whoAsksForMuchHasToWaitAndWhatIsKnownIsBounded() {
        long now = 0;
        for (int i = 0; i < 2 * GuestDirectory.MAX_KNOWN; i++) {
            now += GuestDirectory.NOBODY_NANOS / GuestDirectory.MAX_KNOWN;
            Asker one = new Asker();
            var _ = directory.byName(one, "g" + i, now);
            byte[] query = asked();
            for (int address : neighbours.addresses()) {
                directory.receive(GuestRecords.refusal(query, SaHeaderLayout.NO_RECORDS), address, now);
            }
        }
        Asker greedy = new Asker();
        int asked = 0;
        while (directory.byName(greedy, "h" + asked, now).state() == GuestLookup.State.ASKED) {
            asked++;
        }

        assertThat(asked).isEqualTo(Asker.MAX_LOOKING);
        assertThat(directory.byName(greedy, "h0", now).state()).isEqualTo(GuestLookup.State.ASKED);
    }

    @Test
    void aSlowAnswerIsWaitedForAndSilenceNotForEver() {
        var _ = look(0);
        byte[] query = asked();
        for (long now = 0; now < GuestDirectory.LOOK_NANOS; now = directory.next()) {
            directory.doWork(now);
            assertThat(look(now).state()).isEqualTo(GuestLookup.State.ASKED);
        }
        directory.receive(answer(query, GUEST_OF_ONE), ONE, GuestDirectory.LOOK_NANOS - 1);
        directory.receive(GuestRecords.refusal(query, SaHeaderLayout.NO_RECORDS), OTHER, GuestDirectory.LOOK_NANOS - 1);
        assertThat(look(GuestDirectory.LOOK_NANOS - 1).state()).isEqualTo(GuestLookup.State.FOUND);

        long later = GuestDirectory.LOOK_NANOS + GuestDirectory.FOUND_NANOS;
        var _ = look(later);
        while (directory.next() != Long.MAX_VALUE) {
            directory.doWork(directory.next());
        }
        assertThat(look(later + GuestDirectory.LOOK_NANOS).silent()).isEqualTo(2);
    }

    @Test
    void oneWithoutOthersFindsNobody() {
        GuestDirectory alone = new GuestDirectory(NeighbourHcas.none(), outbox, new SplittableRandom(2));

        assertThat(alone.byName(asker, "g", 0)).isEqualTo(GuestLookup.NOBODY);
        assertThat(alone.byGid(asker, GUEST_OF_ONE, 0)).isEqualTo(GuestLookup.NOBODY);
        assertThatThrownBy(() -> new NeighbourHcas(WireAddresses.none(), Collections.nCopies(257, 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void queriesForWhatIsNoGuestAreRefused() {
        GuestAnswers answers = new GuestAnswers(
                neighbours,
                new OwnGuests() {
                    @Override
                    public @Nullable Gid gidOf(String name) {
                        return name.equals("g") ? GUEST_OF_ONE : null;
                    }

                    @Override
                    public @Nullable String nameOf(Gid gid) {
                        return gid.equals(GUEST_OF_ONE) ? "g" : null;
                    }
                },
                outbox,
                4096);
        byte[] attribute = GuestRecords.query(1, "g");
        MadHeaderLayout.ATTRIBUTE_ID.set(attribute, 0x35);
        byte[] segmented = GuestRecords.query(1, "g");
        SaHeaderLayout.RMPP_FLAGS.set(segmented, 1);
        byte[] all = GuestRecords.query(1, "g");
        SaHeaderLayout.COMPONENT_MASK.set(all, 0);
        byte[] service = GuestRecords.query(1, "g");
        ServiceRecordLayout.SERVICE_ID.set(service, 7);

        assertThat(statuses(
                        answers, attribute, segmented, all, service, GuestRecords.query(1, "h"), gid(GUEST_OF_OTHER)))
                .containsExactly(
                        SaHeaderLayout.UNSUPPORTED,
                        SaHeaderLayout.UNSUPPORTED,
                        SaHeaderLayout.INSUFFICIENT_COMPONENTS,
                        SaHeaderLayout.NO_RECORDS,
                        SaHeaderLayout.NO_RECORDS,
                        SaHeaderLayout.NO_RECORDS);
        assertThat(statuses(answers, GuestRecords.query(1, "g"), gid(GUEST_OF_ONE)))
                .containsExactly(0, 0);
        answers.answer(GuestRecords.query(1, "g"), 7, 1);
        assertThat(outbox.takeAll()).as("a stranger's answer").isEmpty();
    }

    private static byte[] gid(Gid gid) {
        return GuestRecords.query(1, gid);
    }

    private List<Integer> statuses(GuestAnswers answers, byte[]... queries) {
        return Stream.of(queries)
                .map(query -> {
                    answers.answer(query, ONE, 1);
                    return MadHeaderLayout.STATUS.getInt(asked());
                })
                .toList();
    }
}
