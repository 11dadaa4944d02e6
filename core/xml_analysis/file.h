#pragma once

#include "core/xml_analysis/program.h"
#include "core/xml_analysis/reading/element.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace helio::xml {

/// Parsed content of an XML file of analyses.
struct File {
    std::vector<Program> programs;
    std::vector<View> views;
    std::vector<CallStacks> callStacks;
    /// Problems of the file, sorted by position. If one of them is an error, nothing in the file is used.
    std::vector<Problem> problems;

    bool isUsable() const;
};

/// Parses the text of an analysis file.
/// Cost: time and memory are limited by the size of the text, whatever its content.
File readFile(std::string_view text);

/// Formats a problem as "FILE:LINE:COLUMN: ELEMENT: what is wrong".
std::string textOf(const Problem& problem, std::string_view file);

} // namespace helio::xml
