#pragma once

#include "core/analysis/analyses.h"
#include "core/experiment/trace_indexer.h"

#include <cstdlib>
#include <memory>
#include <vector>

namespace helio::test {

/// Returns the built-in analysis with the id `id`. Requires: the analysis exists.
inline const AnalysisKind& analysisOf(std::string_view id)
{
    const AnalysisKind* kind = Analyses::builtin()->find(id);
    if (!kind)
        std::abort();
    return *kind;
}

/// Indexes a trace in memory and without threads. Returns the trace's facts and the stores of the given built-in analyses.
inline Result<IndexedTrace> indexed(const Trace& trace, const std::vector<const AnalysisKind*>& kinds)
{
    const HostTimestamp begin = claimedRange(trace).begin;
    const auto facts = makeMemoryStoreBuilder(begin);
    std::vector<std::unique_ptr<StoreBuilder>> builders;
    IndexPass pass{facts.get(), {}};
    for (const AnalysisKind* kind : kinds)
        pass.parts.push_back({kind, {}, builders.emplace_back(makeMemoryStoreBuilder(begin)).get()});
    IndexProgress progress;
    return indexTrace(trace, pass, progress, 1, {}, {});
}

} // namespace helio::test
