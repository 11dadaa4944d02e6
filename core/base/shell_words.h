#pragma once

#include "core/base/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Returns a word as a POSIX shell reads it back: in single quotes if it has other characters than ASCII letters, digits and -_./:=,+%@.
std::string shellQuoted(std::string_view word);

/// Returns words as one line for a POSIX shell.
std::string shellLine(std::span<const std::string> words);

/// Splits a line into words like a POSIX shell, with single quotes, double quotes and backslashes, but without expansions.
/// Errors: Usage if a quote is not closed, or if the line ends with a backslash.
Result<std::vector<std::string>> splitShellLine(std::string_view line);

} // namespace helio
