package io.hyperverbs.launcher.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ListingTest {
    private final Listing listing = new Listing("hv.test/1", "qp", List.of("link", "lqpn", "rqpn", "comm"));

    @BeforeEach
    void fill() {
        listing.row(Arrays.asList("hv0/1", 17L, null, "a"));
        listing.row(Arrays.asList("hv0/2", 18L, 17L, "b"));
    }

    @Test
    void linesLeaveOutWhatIsNotThere() {
        assertThat(listing.render(Format.TABLE))
                .isEqualTo("link hv0/1 lqpn 17 comm a\nlink hv0/2 lqpn 18 rqpn 17 comm b\n");
    }

    @Test
    void jsonHasEveryKey() {
        assertThat(Json.line(Json.parse(listing.render(Format.JSON)).get("qp").get(0)))
                .isEqualTo("{\"link\":\"hv0/1\",\"lqpn\":17,\"rqpn\":null,\"comm\":\"a\"}");
    }

    @Test
    void csvHasColumnsInOrder() {
        assertThat(listing.render(Format.CSV)).isEqualTo("link,lqpn,rqpn,comm\nhv0/1,17,,a\nhv0/2,18,17,b\n");
    }

    @Test
    void choosesRowsByTheTextOfAValue() {
        assertThat(listing.where("rqpn", "17").render(Format.TABLE)).isEqualTo("link hv0/2 lqpn 18 rqpn 17 comm b\n");
        assertThat(listing.where("comm", "c").render(Format.TABLE)).isEmpty();
    }

    @Test
    void rowsHaveAValueForEachColumn() {
        assertThatThrownBy(() -> listing.row(List.of("x"))).hasMessageContaining("1 values for 4 columns");
    }
}
