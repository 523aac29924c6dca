// Options of ids, and names of events.
#include "cm.h"

static int set_id_option(struct hv_cm_id *id, int name, const void *value, size_t length)
{
	switch (name) {
	case RDMA_OPTION_ID_TOS:
		// There is one service level.
		return length == sizeof(uint8_t) ? 0 : EINVAL;
	case RDMA_OPTION_ID_REUSEADDR:
		if (length != sizeof(int))
			return EINVAL;
		id->reuses_address = *(const int *)value != 0;
		return 0;
	case RDMA_OPTION_ID_AFONLY:
		return length == sizeof(int) ? 0 : EINVAL;
	case RDMA_OPTION_ID_ACK_TIMEOUT:
		if (length != sizeof(uint8_t) || *(const uint8_t *)value > HV_CM_MAX_ACK_TIMEOUT)
			return EINVAL;
		id->ack_timeout = *(const uint8_t *)value;
		return 0;
	default:
		return EOPNOTSUPP;
	}
}

int rdma_set_option(struct rdma_cm_id *id, int level, int name, void *value, size_t length)
{
	return hv_cm_answer(level == RDMA_OPTION_ID ? set_id_option(hv_cm_id(id), name, value, length) : EOPNOTSUPP);
}

const char *rdma_event_str(enum rdma_cm_event_type event)
{
	switch (event) {
	case RDMA_CM_EVENT_ADDR_RESOLVED: return "RDMA_CM_EVENT_ADDR_RESOLVED";
	case RDMA_CM_EVENT_ADDR_ERROR: return "RDMA_CM_EVENT_ADDR_ERROR";
	case RDMA_CM_EVENT_ROUTE_RESOLVED: return "RDMA_CM_EVENT_ROUTE_RESOLVED";
	case RDMA_CM_EVENT_ROUTE_ERROR: return "RDMA_CM_EVENT_ROUTE_ERROR";
	case RDMA_CM_EVENT_CONNECT_REQUEST: return "RDMA_CM_EVENT_CONNECT_REQUEST";
	case RDMA_CM_EVENT_CONNECT_RESPONSE: return "RDMA_CM_EVENT_CONNECT_RESPONSE";
	case RDMA_CM_EVENT_CONNECT_ERROR: return "RDMA_CM_EVENT_CONNECT_ERROR";
	case RDMA_CM_EVENT_UNREACHABLE: return "RDMA_CM_EVENT_UNREACHABLE";
	case RDMA_CM_EVENT_REJECTED: return "RDMA_CM_EVENT_REJECTED";
	case RDMA_CM_EVENT_ESTABLISHED: return "RDMA_CM_EVENT_ESTABLISHED";
	case RDMA_CM_EVENT_DISCONNECTED: return "RDMA_CM_EVENT_DISCONNECTED";
	case RDMA_CM_EVENT_DEVICE_REMOVAL: return "RDMA_CM_EVENT_DEVICE_REMOVAL";
	case RDMA_CM_EVENT_MULTICAST_JOIN: return "RDMA_CM_EVENT_MULTICAST_JOIN";
	case RDMA_CM_EVENT_MULTICAST_ERROR: return "RDMA_CM_EVENT_MULTICAST_ERROR";
	case RDMA_CM_EVENT_ADDR_CHANGE: return "RDMA_CM_EVENT_ADDR_CHANGE";
	case RDMA_CM_EVENT_TIMEWAIT_EXIT: return "RDMA_CM_EVENT_TIMEWAIT_EXIT";
	}
	return "UNKNOWN EVENT";
}
