#pragma once

#include "core/findings/finding.h"
#include "core/findings/finding_scope.h"
#include "core/trace/recording_advice.h"

#include <span>
#include <string_view>
#include <vector>

namespace helio {

/// A finder looks for one kind of problem in a recording. Each file X_finder.cpp in core/findings/finders defines one as
/// `extern const Finder XFinder`; the build finds these files.
///
/// A finding must explain at least FindingScope::threshold(), and be unlikely in a recording without the problem: an unjustified finding
/// is worse than none.
struct Finder {
    const char* id; ///< Stable word of the command line's output, for example "scheduling-tail".
    const char* title; ///< Title for the window, for example "Scheduling tail".
    /// True if the recording has what the finder needs.
    bool (*canLook)(const FindingScope& scope);
    /// Returns the findings, in any order; fewer if a stop is requested.
    std::vector<Finding> (*look)(const FindingScope& scope);
    /// Data that the finder needs; None if no command records it.
    RecordableData data = RecordableData::None;
    /// View that the finder reads, if its analysis runs only on request; nullptr if the finder needs no such view.
    const char* view = nullptr;
};

/// Returns the finders that the build found, in the order of their file names.
std::span<const Finder* const> builtinFinders();

} // namespace helio
