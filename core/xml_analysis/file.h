#pragma once

#include "core/xml_analysis/program.h"
#include "core/xml_analysis/reading/element.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace helio::xml {

/// What an XML file of analyses says.
struct File {
    std::vector<Program> programs;
    std::vector<View> views;
    std::vector<CallStacks> callStacks;
    /// In the order of their places. Where one is an error, nothing of the file is of use.
    std::vector<Problem> problems;

    bool isUsable() const;
};

/// Reads a file's text. Whatever the text is, this takes time and memory that its size bounds.
File readFile(std::string_view text);

/// "FILE:LINE:COLUMN: ELEMENT: what is wrong".
std::string textOf(const Problem& problem, std::string_view file);

} // namespace helio::xml
