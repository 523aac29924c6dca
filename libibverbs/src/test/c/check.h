// A check that names itself when it fails.
#ifndef HV_CHECK_H
#define HV_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                                               \
	do {                                                                                                           \
		if (!(condition)) {                                                                                    \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                       \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

#endif
