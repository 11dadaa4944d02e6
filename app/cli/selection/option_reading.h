#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace helio {

// What the groups of options have in common when they read what was given. A group adds its options with addTo(); those that need checking
// or converting are kept as they were written, in m_given, until read() makes values of them or reports the first that is wrong.

/// An error of kind Usage: "--begin: WHAT".
Error wrongOption(const std::string& option, const std::string& what);

/// A whole decimal number and nothing else.
std::optional<std::int64_t> readNumber(std::string_view text);

/// What one of the words stands for; the error lists the words there are.
template <typename T>
Result<T> readChoice(const std::string& option, const std::string& text, std::initializer_list<std::pair<const char*, T>> choices)
{
    std::string names;
    for (const auto& [name, value] : choices) {
        if (text == name)
            return value;
        (names += names.empty() ? "" : ", ") += name;
    }
    return wrongOption(option, "\"" + text + "\" is none of " + names);
}

/// Calls the steps, which answer a Status each, up to the first that fails: its error is the answer.
template <typename... Steps> Status inOrder(const Steps&... steps)
{
    Status status = Done{};
    const auto succeeds = [&](const auto& step) { return bool(status = step()); };
    (void)(succeeds(steps) && ...);
    return status;
}

} // namespace helio
