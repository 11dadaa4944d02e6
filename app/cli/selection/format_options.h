#pragma once

#include "app/cli/output/table_writer.h"
#include "app/cli/selection/option_list.h"
#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Options --format and --json: the output format of a command.
struct FormatOptions {
    using Names = std::vector<std::string_view>;

    /// Creates the options of a command. `command` is its name for error messages; `formats` lists its formats, the default first.
    explicit FormatOptions(std::string command, Names formats = tables());

    OutputFormat output = OutputFormat::Text; ///< Output format of tables.
    std::string word; ///< Argument of --format; empty for the first format.

    static Names tables() { return {"text", "csv", "json"}; }

    void addTo(OptionList& options);
    /// Checks that the command supports the chosen format.
    /// Errors: Usage if it does not.
    Status check() const { return check(m_command, m_formats); }
    /// Checks the chosen format against `formats`, for an option whose formats differ from the formats of its command. `command`: the
    /// command and the option, as error messages name them, e.g. "compare --durations".
    Status check(std::string_view command, const Names& formats) const;
    Status read();

private:
    std::string m_command;
    Names m_formats;
    bool m_isJson = false;
};

/// Returns the names of formats as a list: "text, csv or json" if `joined` is "or", "text, csv and json" if it is "and".
std::string inWords(const std::vector<std::string_view>& formats, std::string_view joined);

} // namespace helio
