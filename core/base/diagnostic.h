#pragma once

#include <cstdint>
#include <string>

namespace helio {

/// Problem in the input of a trace reader that did not stop the reader: damaged or unexpected bytes.
struct Diagnostic {
    enum class Severity { Info, Warning, Error };

    Severity severity = Severity::Warning;
    std::string kind; ///< Stable short identifier by which diagnostics are counted, for example "backward-time" or "truncated-packet".
    std::string file; ///< File with the problem; empty if the problem concerns the whole trace.
    std::uint64_t offset = 0; ///< Position of the problem in bytes from the start of `file`.
    std::uint64_t count = 1; ///< Number of occurrences; repeated problems share one diagnostic.
    std::string what; ///< Message for the user: a sentence that does not name the file.
};

} // namespace helio
