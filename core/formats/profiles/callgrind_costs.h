#pragma once

#include "core/base/result.h"
#include "core/trace/stored/sample_recording.h"

#include <cstdint>
#include <limits>
#include <stop_token>
#include <string_view>
#include <vector>

namespace helio::profiles {

/// A function of a profile of Callgrind.
/// Ownership: the strings are views of the text.
struct CallgrindFunction {
    std::string_view object; ///< Path of the program or library; empty if unknown.
    std::string_view name;
};

/// Costs of a source line of a function, or of the calls from it to another function.
struct CallgrindCost {
    static constexpr std::uint32_t NoCallee = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t function = 0; ///< Index into CallgrindCosts::functions.
    std::uint32_t callee =
        NoCallee; ///< Index into CallgrindCosts::functions of the called function; NoCallee for costs of the line itself.
    std::uint32_t file = 0; ///< Index into CallgrindCosts::files of the file with the line, which may be inlined there.
    std::uint32_t line = 0; ///< From 1; 0 if unknown.
    std::size_t values = 0; ///< Index into CallgrindCosts::values of the cost of the first event.
};

/// Content of a profile of Callgrind.
struct CallgrindCosts {
    std::vector<std::string_view> events; ///< Names of the events, e.g. "Ir".
    std::vector<CallgrindFunction> functions;
    std::vector<std::string_view> files{{}}; ///< Source files; element 0 stands for an unknown one.
    std::vector<CallgrindCost> costs; ///< In the order of the text; a line may have several costs.
    std::vector<std::uint64_t> values; ///< Costs, one for each event and element of `costs`.
};

/// Reads the text of a profile. Unreadable lines are reported to `recording`, which also gets the facts of the header.
/// Errors: Corrupt if the profile names no events; Cancelled soon after `stop` is requested.
Result<CallgrindCosts> readCallgrindCosts(std::string_view text, SampleRecording& recording, const std::stop_token& stop);

} // namespace helio::profiles
