#pragma once

#include "core/store/states.h"
#include "core/store/track.h"

#include <array>
#include <cstdint>
#include <string_view>

// States that show the instructions per cycle (IPC) of a CPU's spans. KUtrace records the IPC of each span as a code of 4 bits.

namespace helio {

constexpr std::string_view IpcView = "ipc-spans"; ///< Id of the view that shows the states of ipcStates().
/// Track::kind of the attribute that contains the method of the remote procedure call that a thread works on.
constexpr std::string_view IpcRpcTrack = "rpc";

constexpr std::size_t IpcCodes = 16;

/// Lowest IPC of each code in units of 1/16, indexed by code. A code covers the IPC values up to the lowest IPC of the following code; the
/// last code has no upper bound.
constexpr std::array<int, IpcCodes> LowestIpc{0, 2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56};
/// Middle of the IPC range of each code in units of 1/16, indexed by code. The last code has no upper bound; its value is 60 (IPC 3.75), as
/// in KUtrace.
constexpr std::array<int, IpcCodes> MiddleIpc{1, 3, 5, 7, 9, 11, 13, 15, 18, 22, 26, 30, 36, 44, 52, 60};

/// The states 0 to 15 of the state set "ipc-spans" are the IPC codes; the following states are for spans without IPC.
constexpr State IpcIdle{16}; ///< The CPU runs its idle thread, without a power-saving state.
constexpr State IpcDeepIdle{17}; ///< The CPU is in a power-saving idle state, or is leaving it.
constexpr State IpcUnmeasured{18}; ///< The IPC of the span was not recorded.

/// Returns the state set "ipc-spans", which contains all states above.
const StateSet& ipcStates();

} // namespace helio
