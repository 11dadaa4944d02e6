#pragma once

#include "core/waits/path/path.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace helio {

/// Returns the kind of a wait that a wake-up in `context` ended. `context` is the name of an interrupt, a vector or a softirq, as tracers
/// and drivers name them (include/linux/interrupt.h, arch/x86/include/asm/trace/irq_vectors.h). Blocked if the name is unknown.
PathKind kindOfContext(std::string_view context);

/// Parsed name of a kernel thread that handles interrupts (kernel/irq/manage.c, setup_irq_thread(); net/core/dev.c, napi_kthread_create()).
struct HandlerName {
    std::string_view device; ///< Name of the device. Its end may be missing, because the kernel cuts thread names to 15 characters.
    std::optional<std::uint32_t> interrupt; ///< Number of the interrupt; nullopt if the thread polls a network device.
};

/// Parses names such as "irq/30-eth0", "irq/30-s-eth0" (a secondary handler) and "napi/eth0-8193"; nullopt for other names.
std::optional<HandlerName> parseHandlerName(std::string_view thread);

/// Returns the kind of a wait in a system call of which only the name is known; PathKind::Blocked if the name does not determine the kind.
PathKind kindOfCall(std::string_view call);

/// Returns the kind of a wait. `call` is the system call of the waiting thread; `wakersCall` is the system call of the thread that ended
/// the wait. The names have no prefix, for example "futex". Returns Blocked if the calls do not determine the kind.
PathKind kindOfWait(std::string_view call, std::string_view wakersCall);

/// True if a wait in the system call can only end by a timeout or a signal.
bool isSleep(std::string_view call);
/// True if the system call sends signals.
bool sendsSignals(std::string_view call);

} // namespace helio
