#pragma once

#include "app/cli/output/table_writer.h"
#include "app/cli/selection/option_list.h"
#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// --format and --json of a command: what it prints.
struct FormatOptions {
    using Names = std::vector<std::string_view>;

    /// The command's name, for errors; its formats, the default first; what the help says behind them.
    explicit FormatOptions(std::string command, Names formats = tables(), std::string note = {});

    OutputFormat output = OutputFormat::Text; ///< Of what is a table.
    std::string word; ///< --format as it was given. Empty: the first.

    static Names tables() { return {"text", "csv", "json"}; }

    void addTo(OptionList& options);
    /// An error where there is no such format.
    Status check() const { return check(m_command, m_formats); }
    /// The same where an option of the command leaves other formats: "compare --durations".
    Status check(std::string_view command, const Names& formats) const;
    Status read();

private:
    std::string m_command;
    Names m_formats;
    std::string m_note;
    bool m_isJson = false;
};

/// "text, csv or json"; of what is `joined` by another word: "text, csv and json".
std::string inWords(const std::vector<std::string_view>& formats, std::string_view joined);

} // namespace helio
