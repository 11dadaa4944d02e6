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

    /// `command` is the command's name for errors; `formats` lists its formats, the default first.
    explicit FormatOptions(std::string command, Names formats = tables());

    OutputFormat output = OutputFormat::Text; ///< Format of tables.
    std::string word; ///< Argument of --format; empty: the first format.

    static Names tables() { return {"text", "csv", "json"}; }

    void addTo(OptionList& options);
    /// Checks that the command has the format.
    /// Errors: Usage if it does not.
    Status check() const { return check(m_command, m_formats); }
    /// Checks against `formats` for an option of the command that allows other formats, e.g. "compare --durations".
    Status check(std::string_view command, const Names& formats) const;
    Status read();

private:
    std::string m_command;
    Names m_formats;
    bool m_isJson = false;
};

/// Joins names with commas and a last word: "text, csv or json"; with `joined` "and": "text, csv and json".
std::string inWords(const std::vector<std::string_view>& formats, std::string_view joined);

} // namespace helio
