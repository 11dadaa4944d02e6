#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace helio {

// Helpers that the groups of options share. A group adds its options with addTo(). Arguments that need checking or conversion are kept as
// text in m_given until read() converts them or reports the first wrong one.

/// Makes an error of kind Usage with the text "--begin: WHAT".
Error makeUsageError(const std::string& option, const std::string& what);

/// Reads a decimal integer; nullopt if the text contains anything else.
std::optional<std::int64_t> readNumber(std::string_view text);

/// Returns the value of the choice that `text` names. Errors: Usage, with a list of the choices.
template <typename T>
Result<T> readChoice(const std::string& option, const std::string& text, std::initializer_list<std::pair<const char*, T>> choices)
{
    std::string names;
    for (const auto& [name, value] : choices) {
        if (text == name)
            return value;
        (names += names.empty() ? "" : ", ") += name;
    }
    return makeUsageError(option, "\"" + text + "\" is none of " + names);
}

/// Calls the steps, which return a Status each, until one fails. Returns the error of that step, else success.
template <typename... Steps> Status runInOrder(const Steps&... steps)
{
    Status status = Done{};
    const auto succeeds = [&](const auto& step) { return bool(status = step()); };
    (void)(succeeds(steps) && ...);
    return status;
}

} // namespace helio
