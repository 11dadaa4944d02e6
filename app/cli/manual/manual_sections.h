#pragma once

#include "app/cli/manual/manual.h"

namespace helio {

/// First paragraph of the manual.
extern const char* const ManualDescription;

/// Paragraph before the options of the program.
extern const char* const ManualOptions;

/// Sections about what all commands have in common.
std::vector<ManualSection> manualSections();

/// Manual pages of programs that belong to this one.
std::vector<std::string> relatedManuals();

} // namespace helio
