#include "app/cli/format_words.h"

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

Status checkFormat(const Command& command, const OptionTexts& texts)
{
    if (texts.format.empty() || !command.formats)
        return Done{};
    const auto formats = command.formats(texts);
    if (std::ranges::find(formats, texts.format) != formats.end())
        return Done{};
    return Error{Error::Kind::Usage,
                 fmt::format("--format: \"{}\" is not a format of {}{}; there are {}", texts.format, command.name,
                             texts.isOfDurations ? " --durations" : "", inWords(formats, "and"))};
}

} // namespace helio
