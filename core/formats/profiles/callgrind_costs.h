#pragma once

#include "core/base/result.h"
#include "core/trace/stored/sample_recording.h"

#include <cstdint>
#include <limits>
#include <stop_token>
#include <string_view>
#include <vector>

namespace helio::profiles {

/// A function in a Callgrind profile.
/// Ownership: the strings are views of the profile's text.
struct CallgrindFunction {
    std::string_view object; ///< Path of the program or library; empty if unknown.
    std::string_view name;
};

/// Costs of one source line of a function, or costs of the calls from this source line to another function.
struct CallgrindCost {
    static constexpr std::uint32_t NoCallee = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t function = 0; ///< Index into CallgrindCosts::functions of the function that contains the source line.
    std::uint32_t callee = NoCallee; ///< Called function in CallgrindCosts::functions; NoCallee for costs of the source line itself.
    std::uint32_t file = 0; ///< Index into CallgrindCosts::files of the source file; for inlined code, it is not the file of the function.
    std::uint32_t line = 0; ///< Source line number from 1; 0 if unknown.
    std::uint64_t calls = 0; ///< Number of the calls; 0 for costs of the source line itself.
    std::size_t values = 0; ///< Index into CallgrindCosts::values of the cost for the first event.
    std::size_t count = 0; ///< Number of events with a cost in CallgrindCosts::values; costs for further events are 0.
};

/// Content of a Callgrind profile.
struct CallgrindCosts {
    std::string_view command; ///< Command line of the profiled program; empty if not recorded.
    std::vector<std::string_view> events; ///< Names of the events, e.g. "Ir".
    std::vector<CallgrindFunction> functions;
    std::vector<std::string_view> files{{}}; ///< Paths of source files; element 0 is empty and stands for an unknown file.
    std::vector<CallgrindCost> costs; ///< Costs in the order of the profile; several elements may belong to one source line.
    std::vector<std::uint64_t> values; ///< For each element of `costs`, the costs as far as written, in the order of `events`.
};

/// Reads the text of a Callgrind profile. Adds a diagnostic to `recording` for unreadable lines, and the facts of the profile's header.
/// Errors: Corrupt if the profile names no events; Cancelled soon after `stop` is requested.
Result<CallgrindCosts> readCallgrindCosts(std::string_view text, SampleRecording& recording, const std::stop_token& stop);

} // namespace helio::profiles
