#pragma once

#include "app/cli/command.h"

namespace helio {

/// "text, csv or json"; of what is `joined` by another word: "text, csv and json".
std::string inWords(const std::vector<std::string_view>& formats, std::string_view joined);

/// An error of kind Usage where --format is none of the command's.
Status checkFormat(const Command& command, const OptionTexts& texts);

} // namespace helio
