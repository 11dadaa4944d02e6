#pragma once

#include "core/analysis/analysis.h"

#include <memory>
#include <string>

namespace helio {

/// The pulse of each CPU: it beats while its last event is less than Beat ago. This is the smallest analysis that uses everything: states
/// with styles of their own, a kind of links, segments, counters, a view of rows and a view of curves.
///
/// Rows: `cpu:N`. Links "pass": from the CPU of an event to the CPU of the following event if that differs, one in PassEvery. Segments
/// "burst": an interval of beating, from its first to its last event, with the number of events as value. Counters: the events of each
/// CPU so far, and the number of known CPUs.
class Pulse {
public:
    static constexpr Duration Beat{100'000};
    static constexpr int PassEvery = 500;
};

/// `id` is the analysis' id; its views and its kinds of links and segments are named after it.
std::shared_ptr<const AnalysisKind> pulseKind(std::string id, std::string title);

} // namespace helio
