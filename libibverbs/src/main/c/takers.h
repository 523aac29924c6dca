// Threads for a context's event rings.
#ifndef HV_TAKERS_H
#define HV_TAKERS_H

#include "verbs.h"

// From now on the HCA posts events there.
void hv_want_events(struct hv_event_taker *taker);

// Starts the thread, unless it runs. 0, or an errno. One caller at a time.
int hv_start_taker(struct hv_event_taker *taker);

// Waits for its end.
void hv_stop_taker(struct hv_event_taker *taker);

#endif
