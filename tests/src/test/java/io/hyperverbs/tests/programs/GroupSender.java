package io.hyperverbs.tests.programs;

import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.AddressHandle;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.sa.JoinState;
import io.hyperverbs.verbs.sa.MulticastMembership;
import io.hyperverbs.verbs.sa.SubnetAdministration;
import java.util.Set;

/**
 * Sends to a group of two guests, lets the first leave, and sends again; prints how many members
 * there were. Arguments: their names.
 */
public final class GroupSender {
    private GroupSender() {}

    public static void main(String[] args) throws Exception {
        try (Node node = new Node()) {
            UdSender sender = new UdSender(node);
            int first = sender.qpnOf(args[0]);
            int second = sender.qpnOf(args[1]);
            SubnetAdministration subnet = SubnetAdministration.of(node.context);
            MulticastMembership own = node.closing(
                    subnet.join(UdReceiver.GROUP, Set.of(JoinState.SEND_ONLY_NON_MEMBER), UdReceiver.QKEY));
            AddressHandle group = sender.ah(
                    AddressAttributes.ofGroup(UdReceiver.GROUP, own.record().mlid()));
            AddressHandle port =
                    sender.ah(AddressAttributes.of(node.context.queryPort(1).lid()));

            System.out.println(subnet.members(UdReceiver.GROUP).size() + " members");
            sender.send("to both", group, UdQueuePair.MULTICAST_QPN, UdReceiver.QKEY);
            sender.send("leave", port, first, UdReceiver.QKEY);
            var _ = node.hear(args[0], "left");
            System.out.println(subnet.members(UdReceiver.GROUP).size() + " members");
            sender.send("to one", group, UdQueuePair.MULTICAST_QPN, UdReceiver.QKEY);
            sender.send("end", port, first, UdReceiver.QKEY);
            sender.send("end", port, second, UdReceiver.QKEY);
        }
    }
}
