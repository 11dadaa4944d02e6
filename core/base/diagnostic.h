#pragma once

#include <cstdint>
#include <string>

namespace helio {

/// A part of the input that was unusual or unusable; reading went on after it.
struct Diagnostic {
    enum class Severity { Info, Warning, Error };

    Severity severity = Severity::Warning;
    std::string kind; ///< A stable short word for counting: "backward-time", "truncated-packet"...
    std::string file; ///< The file it is about; empty when it is about the whole trace.
    std::uint64_t offset = 0; ///< Bytes from the start of `file`.
    std::uint64_t count = 1; ///< How many times; repeated ones are counted, not listed.
    std::string what; ///< A plain sentence without the file's name.
};

} // namespace helio
