#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// A pair of event types that report, for any provider, that a function was entered or left, e.g. "lttng_ust_cyg_profile:func_entry".
struct CallEvents {
    std::string_view entry; ///< Name of the entry event without its provider, e.g. "func_entry".
    std::string_view exit;
    /// Field of an entry that identifies the function: an address or a text. An exit that has the field names the function that is left.
    std::string_view function;
    std::string_view file; ///< Field with the path of the function's source file; empty if there is none.
    std::string_view line; ///< Field with the line of the function in its source file; empty if there is none.
};

/// Returns the known pairs: of LTTng-UST's helpers for gcc -finstrument-functions, liblttng-ust-cyg-profile(3), under their new and old
/// names, and of Python's sys.setprofile() as tracers of Python record it.
std::span<const CallEvents> knownCallEvents();

/// How one event type of a trace reports function calls.
struct CallType {
    /// Number of the provider, from 1; an entry and an exit with the same number belong together. 0 if the type reports neither, or if the
    /// trace has no entries of this provider.
    std::uint16_t source = 0;
    bool isEntry = false;
    const CallEvents* events = nullptr;
};

/// Returns the call types, indexed by EventTypeId. An entry type needs the field with the function; an exit type need not have it.
std::vector<CallType> findCallTypes(const Trace& trace);

/// An exit type of a trace without the corresponding entry type. Such exits are useless.
struct MissingEntries {
    std::string exit; ///< Full name of the exit, e.g. "lttng_ust_cyg_profile:func_exit".
    std::string entry; ///< Full name of the missing entry, e.g. "lttng_ust_cyg_profile:func_entry".
};
std::vector<MissingEntries> missingEntries(const Trace& trace);

} // namespace helio
