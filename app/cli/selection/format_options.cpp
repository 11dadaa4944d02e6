#include "app/cli/selection/format_options.h"

#include "app/cli/selection/option_reading.h"

#include <algorithm>
#include <fmt/format.h>

namespace helio {

std::string inWords(const std::vector<std::string_view>& formats, std::string_view joined)
{
    std::string words;
    for (std::size_t i = 0; i < formats.size(); ++i) {
        words += i == 0 ? "" : i + 1 < formats.size() ? ", " : fmt::format(" {} ", joined);
        words += formats[i];
    }
    return words;
}

FormatOptions::FormatOptions(std::string command, Names formats, std::string note)
    : m_command(std::move(command))
    , m_formats(std::move(formats))
    , m_note(std::move(note))
{
}

void FormatOptions::addTo(OptionList& options)
{
    options.value("--format", word, "F", inWords(m_formats, "or") + m_note);
    options.flag("--json", m_isJson, "The same as --format json");
}

Status FormatOptions::check(std::string_view command, const Names& formats) const
{
    if (word.empty() || std::ranges::find(formats, word) != formats.end())
        return Done{};
    return makeUsageError("--format", fmt::format("\"{}\" is not a format of {}; there are {}", word, command, inWords(formats, "and")));
}

Status FormatOptions::read()
{
    if (m_isJson && !word.empty() && word != "json")
        return makeUsageError("--json", "--format " + word + " says otherwise");
    output = m_isJson || word == "json" ? OutputFormat::Json : word == "csv" ? OutputFormat::Csv : OutputFormat::Text;
    return Done{};
}

} // namespace helio
