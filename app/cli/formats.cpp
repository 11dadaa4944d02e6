#include "app/cli/formats.h"

#include <algorithm>
#include <fmt/format.h>

namespace helio {

std::vector<std::string_view> formatsOf(std::string_view command, const OptionTexts& texts)
{
    if (command == "render") // The file's ending tells.
        return {};
    if (command == "info" || command == "index")
        return {"text", "json"};
    if (command == "flame")
        return {"text", "table", "csv", "json", "folded", "svg", "speedscope"};
    if (command == "compare" && !texts.isOfDurations)
        return {"text", "table", "csv", "json", "folded", "svg"};
    return {"text", "csv", "json"};
}

std::string inWords(const std::vector<std::string_view>& formats, std::string_view joined)
{
    std::string words;
    for (std::size_t i = 0; i < formats.size(); ++i) {
        words += i == 0 ? "" : i + 1 < formats.size() ? ", " : fmt::format(" {} ", joined);
        words += formats[i];
    }
    return words;
}

Status checkFormat(std::string_view command, const OptionTexts& texts)
{
    const auto formats = formatsOf(command, texts);
    if (texts.format.empty() || std::ranges::find(formats, texts.format) != formats.end())
        return Done{};
    return Error{Error::Kind::Usage, fmt::format("--format: \"{}\" is not a format of {}{}; there are {}", texts.format, command,
                                                 command == "compare" && texts.isOfDurations ? " --durations" : "", inWords(formats, "and"))};
}

} // namespace helio
