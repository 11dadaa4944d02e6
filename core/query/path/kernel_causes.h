#pragma once

#include "core/query/path/path.h"

#include <string_view>

namespace helio {

/// What the context of a wake-up stands for: an interrupt's name, a vector, a softirq, as tracers and drivers call them
/// (include/linux/interrupt.h, arch/x86/include/asm/trace/irq_vectors.h). Blocked: nobody knows what it was for.
PathKind kindOfContext(std::string_view context);

/// What a system call waits for when a thread ends its wait that is itself in `wakers` call then. Names without prefixes: "futex". Blocked:
/// that says nothing.
PathKind kindOfWait(std::string_view call, std::string_view wakersCall);

/// A wait that only time ends, or a signal.
bool isSleep(std::string_view call);
bool sendsSignals(std::string_view call);

} // namespace helio
