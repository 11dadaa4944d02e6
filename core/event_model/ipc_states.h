#pragma once

#include "core/store/states.h"
#include "core/store/track.h"

#include <array>
#include <cstdint>
#include <string_view>

// States of spans with instructions per cycle (IPC), as KUtrace records it: a code of 4 bits for each span of a CPU.

namespace helio {

constexpr std::string_view IpcView = "ipc-spans"; ///< Id of the view with these states.
constexpr std::string_view IpcRpcTrack = "rpc"; ///< Kind of a thread's attribute with the method of the remote procedure call it works on.

constexpr std::size_t IpcCodes = 16;

/// Lowest IPC of each code, in sixteenths; the code covers the values up to the lowest IPC of the next code. The last code has no upper
/// bound.
constexpr std::array<int, IpcCodes> LowestIpc{0, 2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56};
/// Middle of the range of each code, in sixteenths; for the last code, KUtrace's own choice 3.75.
constexpr std::array<int, IpcCodes> MiddleIpc{1, 3, 5, 7, 9, 11, 13, 15, 18, 22, 26, 30, 36, 44, 52, 60};

/// States of the view: one for each code, and these.
constexpr State IpcIdle{16}; ///< The CPU runs its idle thread.
constexpr State IpcDeepIdle{17}; ///< The CPU idles with low power, or leaves this state.
constexpr State IpcUnmeasured{18}; ///< A span of a recording without IPC.

/// Returns the state set "ipc-spans".
const StateSet& ipcStates();

} // namespace helio
