#pragma once

#include "core/xml_analysis/program.h"
#include "core/xml_analysis/reading/element.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace helio::xml {

/// Content of an XML file of analyses.
struct File {
    std::vector<Program> programs;
    std::vector<View> views;
    std::vector<CallStacks> callStacks;
    /// Sorted by place. If any of them is an error, nothing of the file is used.
    std::vector<Problem> problems;

    bool isUsable() const;
};

/// Parses the text of a file.
/// Cost: time and memory are bounded by the size of the text, whatever it contains.
File readFile(std::string_view text);

/// Returns a problem in the form "FILE:LINE:COLUMN: ELEMENT: what is wrong".
std::string textOf(const Problem& problem, std::string_view file);

} // namespace helio::xml
