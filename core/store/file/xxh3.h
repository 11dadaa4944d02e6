#pragma once

// XXH3 in the widest registers the processor has, where the library can choose: half the instructions.
#include <xxhash.h>
#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>
#endif
