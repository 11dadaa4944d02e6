#pragma once

#include "core/analysis/analysis.h"

#include <memory>
#include <string>

namespace helio {

/// An analysis of the pulse of each CPU: a CPU "beats" while its last event is less than Beat ago. This small analysis makes all of these:
/// states with their own styles, a link kind, segments, counters, a view of rows and a view of curves.
///
/// - Rows: `cpu:N`.
/// - Links "pass": from the CPU of an event to the CPU of the following event if the CPUs differ; only every PassEvery-th link is kept.
/// - Segments "burst": an interval of beating, from its first to its last event, with the number of events as value.
/// - Counters: the events of each CPU so far, and the number of known CPUs.
class Pulse {
public:
    static constexpr Duration Beat{100'000};
    static constexpr int PassEvery = 500;
};

/// Makes the analysis with the given id. The ids of its views, link kinds and segment kinds begin with `id`.
std::shared_ptr<const AnalysisKind> pulseKind(std::string id, std::string title);

} // namespace helio
