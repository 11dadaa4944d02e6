#pragma once

#include "core/analysis/analysis.h"

#include <memory>
#include <string>

namespace helio {

/// The pulse of each CPU: it beats while its last event is less than Beat ago. As small as an analysis can be that has something of
/// everything: states with looks of their own, a kind of links, segments, counters, a view of rows and one of curves.
///
/// Rows `cpu:N`. Links "pass": from the CPU of an event to that of the next, where it is another, one in PassEvery. Segments "burst": a
/// stretch of beating, from its first to its last event; its value is how many there were. Counters: the events of each CPU so far, and how
/// many CPUs are known.
class Pulse {
public:
    static constexpr Duration Beat{100'000};
    static constexpr int PassEvery = 500;
};

/// `id` is the kind's, and what its views and its kinds of links and segments are named after.
std::shared_ptr<const AnalysisKind> pulseKind(std::string id, std::string title);

} // namespace helio
