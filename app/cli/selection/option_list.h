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

/// List to which a command adds its options. Descriptions have one line of at most 80 characters.
/// Ownership: the targets must outlive the list and the CLI::App, because parsing writes the values into the targets.
class OptionList {
public:
    explicit OptionList(CLI::App& app)
        : m_app(app)
    {
    }

    /// Returns a list for further options, which the help prints under the heading `title`, for example "Selection".
    OptionList group(const char* title) const
    {
        OptionList grouped(m_app);
        grouped.m_group = title;
        return grouped;
    }

    // Add an option with a value; `type` is the placeholder of the value in the help.
    void value(const char* name, std::string& target, const char* type, const std::string& what);
    void value(const char* name, std::filesystem::path& target, const char* type, const std::string& what);
    void value(const char* name, std::optional<std::int64_t>& target, const char* type, const std::string& what);
    void value(const char* name, double& target, const char* type, const std::string& what);
    void value(const char* name, unsigned& target, const char* type, const std::string& what);

    void flag(const char* name, bool& target, const std::string& what);

    /// Adds an option that has one value and may be repeated; does not consume arguments after the value.
    void repeated(const char* name, std::vector<std::string>& target, const char* type, const std::string& what);
    void repeated(const char* name, std::vector<std::filesystem::path>& target, const char* type, const std::string& what);

    /// Adds an option that consumes all values up to the next option. A `name` without dashes stands for the positional arguments.
    void list(const char* name, std::vector<std::filesystem::path>& target, const char* type, const std::string& what);

    /// Adds an argument that consumes all words after "--", whatever they begin with. Requires: `target` outlives the parsing.
    void remainder(std::vector<std::string>& target, const std::string& what);

    /// Adds an option with a value, for commands that have no use for the option but are related to commands that have it. The command
    /// accepts the option and ignores its value. The help does not show the option.
    void ignored(const char* name);

private:
    CLI::Option& inGroup(CLI::Option* option);

    CLI::App& m_app;
    std::string m_group = "Options";
};

/// Name of the argument that OptionList::remainder() adds.
constexpr const char* RemainderName = "COMMAND";

// The functions below help to implement groups of options, for example SelectionOptions. A group adds its options with addTo(). It stores
// arguments that need a conversion as text in a member m_given; read() converts them and returns an error for the first wrong argument.

/// Returns an error of kind Usage with the text "OPTION: WHAT", e.g. "--begin: …".
Error makeUsageError(const std::string& option, const std::string& what);

/// Parses a decimal integer; nullopt if the text contains anything else.
std::optional<std::int64_t> readNumber(std::string_view text);

/// Returns the value of the choice with the name `text`.
/// Errors: Usage, with a list of the choices.
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

/// Calls functions that return a Status, in order, until one fails. Returns the error of that function, else success.
template <typename... Steps> Status runInOrder(const Steps&... steps)
{
    Status status = Done{};
    const auto succeeds = [&](const auto& step) { return bool(status = step()); };
    (void)(succeeds(steps) && ...);
    return status;
}

} // namespace helio
