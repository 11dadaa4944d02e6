#include "app/cli/selection/format_options.h"

#include "app/cli/selection/option_list.h"

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

FormatOptions::FormatOptions(std::string command, Names formats)
    : m_command(std::move(command))
    , m_formats(std::move(formats))
{
}

void FormatOptions::addTo(OptionList& options)
{
    OptionList group = options.group("Output");
    group.value("--format", word, "F", fmt::format("Output format: {} (default: {})", inWords(m_formats, "or"), m_formats.front()));
    group.flag("--json", m_isJson, "Short for --format json");
}

Status FormatOptions::check(std::string_view command, const Names& formats) const
{
    if (word.empty() || std::ranges::find(formats, word) != formats.end())
        return Done{};
    return makeUsageError("--format", fmt::format("\"{}\" is not a format of {}; supported: {}", word, command, inWords(formats, "and")));
}

Status FormatOptions::read()
{
    if (m_isJson && !word.empty() && word != "json")
        return makeUsageError("--json", "--format " + word + " contradicts it");
    output = m_isJson || word == "json" ? OutputFormat::Json : word == "csv" ? OutputFormat::Csv : OutputFormat::Text;
    return Done{};
}

} // namespace helio
