#pragma once

#include "app/cli/selection/options.h"

#include <string_view>
#include <vector>

namespace helio {

/// The formats in which a command prints what these options ask of it, the default first. Empty: it prints no table.
std::vector<std::string_view> formatsOf(std::string_view command, const OptionTexts& texts);

/// "text, csv or json"; of what is `joined` by another word: "text, csv and json".
std::string inWords(const std::vector<std::string_view>& formats, std::string_view joined);

/// An error of kind Usage where --format is none of them.
Status checkFormat(std::string_view command, const OptionTexts& texts);

} // namespace helio
