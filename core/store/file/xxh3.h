#pragma once

// XXH3 with the widest registers of the processor, if the library can choose them at run time; that halves the number of instructions.
#include <xxhash.h>
#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>
#endif
