#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace helio {

/// Options of a command, added by the command's file. Descriptions are one line of at most 80 characters. Ownership: the targets are filled
/// when the arguments are parsed and outlive the parsing.
class OptionList {
public:
    explicit OptionList(CLI::App& app)
        : m_app(app)
    {
    }

    /// Returns a list that adds its options under this heading of the help, for example "Selection".
    OptionList group(const char* title) const
    {
        OptionList grouped(m_app);
        grouped.m_group = title;
        return grouped;
    }

    // Adds an option with a value; `type` names the value in the help.
    void value(const char* name, std::string& target, const char* type, const std::string& what);
    void value(const char* name, std::filesystem::path& target, const char* type, const std::string& what);
    void value(const char* name, std::optional<std::int64_t>& target, const char* type, const std::string& what);
    void value(const char* name, double& target, const char* type, const std::string& what);
    void value(const char* name, unsigned& target, const char* type, const std::string& what);

    void flag(const char* name, bool& target, const std::string& what);

    /// Adds an option that takes one value and may be repeated; arguments after the value are not consumed.
    void repeated(const char* name, std::vector<std::string>& target, const char* type, const std::string& what);
    void repeated(const char* name, std::vector<std::filesystem::path>& target, const char* type, const std::string& what);

    /// Adds an option that takes all values up to the next option. A name without dashes takes the positional arguments.
    void list(const char* name, std::vector<std::filesystem::path>& target, const char* type, const std::string& what);

    /// Accepts an option with a value and ignores it, because related commands have the option. The help does not show it.
    void ignored(const char* name);

private:
    CLI::Option& inGroup(CLI::Option* option);

    CLI::App& m_app;
    std::string m_group = "Options";
};

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
    return makeUsageError(option, "\"" + text + "\" is not one of " + names);
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
