#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Events that say of any provider that a function was entered or left, as "lttng_ust_cyg_profile:func_entry" does.
struct CallEvents {
    std::string_view entry; ///< What the names of their types end with, behind the provider's: "func_entry".
    std::string_view exit;
    std::string_view function; ///< The field of an entry that says which: an address, or a text. An exit that has it says which is left.
    std::string_view file; ///< The field with the function's source file. Empty: there is none.
    std::string_view line; ///< The same of its line.
};

/// Those of LTTng-UST's helpers for gcc -finstrument-functions, liblttng-ust-cyg-profile(3), under their new and old names, and those of
/// Python's sys.setprofile() as tracers of Python record it.
std::span<const CallEvents> knownCallEvents();

/// An event type that says that a function was entered or left.
struct CallType {
    std::uint16_t source =
        0; ///< From 1: an entry and an exit of one source belong together. 0: the type says neither, or there are no entries.
    bool isEntry = false;
    const CallEvents* events = nullptr;
};

/// By EventTypeId. A type whose name fits but which lacks the function's field is none (of exits it may).
std::vector<CallType> callTypesOf(const Trace& trace);

/// Exits that a trace has without the entries that belong to them: they say nothing.
struct MissingEntries {
    std::string exit; ///< "lttng_ust_cyg_profile:func_exit".
    std::string entry; ///< "lttng_ust_cyg_profile:func_entry".
};
std::vector<MissingEntries> missingEntries(const Trace& trace);

} // namespace helio
