#pragma once

// Includes the version of XXH3 that selects the widest vector registers of the processor at run time, if the library has it. This version
// needs half as many instructions.
#include <xxhash.h>
#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>
#endif
