#pragma once

#include "core/waits/path/path.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace helio {

/// What the context of a wake-up stands for: an interrupt's name, a vector, a softirq, as tracers and drivers call them
/// (include/linux/interrupt.h, arch/x86/include/asm/trace/irq_vectors.h). Blocked: nobody knows what it was for.
PathKind kindOfContext(std::string_view context);

/// The device in the name of a kernel thread that handles interrupts (kernel/irq/manage.c, setup_irq_thread(); net/core/dev.c,
/// napi_kthread_create()).
struct HandlerName {
    std::string_view device; ///< The kernel cuts names of threads to 15 characters, so its end may be missing.
    std::optional<std::uint32_t> interrupt; ///< Number of the interrupt; nothing: the thread polls a network device.
};

/// "irq/30-eth0", its secondary handler "irq/30-s-eth0", "napi/eth0-8193". Nothing: the thread is named otherwise.
std::optional<HandlerName> handlerNameOf(std::string_view thread);

/// What a system call waits for when a thread ends its wait that is itself in `wakers` call then. Names without prefixes: "futex". Blocked:
/// that says nothing.
PathKind kindOfWait(std::string_view call, std::string_view wakersCall);

/// A wait that only time ends, or a signal.
bool isSleep(std::string_view call);
bool sendsSignals(std::string_view call);

} // namespace helio
