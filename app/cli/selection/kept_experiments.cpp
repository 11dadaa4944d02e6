#include "app/cli/selection/kept_experiments.h"

#include "core/analysis/analyses.h"
#include "core/correlation/correlator_registry.h"

#include <algorithm>
#include <utility>

namespace helio {
namespace {

constexpr std::size_t MostKept = 4;

thread_local KeptExperiments* t_inUse = nullptr;

/// Returns the ids of the analyses that are not switched off, and of the correlators; empty if states are not needed.
std::vector<std::string> analysesOf(const ExperimentOptions& how)
{
    std::vector<std::string> ids;
    if (!how.needsStates)
        return ids;
    ids.emplace_back("analyses");
    if (how.analyses)
        for (const auto& kind : how.analyses->all())
            if (!how.analyses->isOff(kind->id()))
                ids.emplace_back(kind->id());
    ids.emplace_back("correlators");
    if (how.relations)
        for (const auto& kind : how.relations->all())
            ids.emplace_back(kind->id());
    return ids;
}

} // namespace

KeptExperiments::Use::Use(KeptExperiments& kept) { t_inUse = &kept; }

KeptExperiments::Use::~Use() { t_inUse = nullptr; }

KeptExperiments* KeptExperiments::inUse() { return t_inUse; }

void KeptExperiments::setTimeline(std::shared_ptr<const Timeline> timeline, bool isSynchronized)
{
    m_timeline = std::move(timeline);
    m_isSynchronized = isSynchronized;
}

std::shared_ptr<Experiment> KeptExperiments::find(const std::vector<std::filesystem::path>& traces, const ExperimentOptions& how) const
{
    const std::vector<std::string> analyses = analysesOf(how);
    const auto fits = [&](const Opening& it) { return it.traces == traces && (analyses.empty() || it.analyses == analyses); };
    const auto found = std::ranges::find_if(m_all, fits);
    return found != m_all.end() ? found->experiment : nullptr;
}

void KeptExperiments::keep(const std::vector<std::filesystem::path>& traces, const ExperimentOptions& how,
                           std::shared_ptr<Experiment> experiment)
{
    if (m_all.size() == MostKept)
        m_all.erase(m_all.begin() + 1);
    m_all.push_back({traces, analysesOf(how), std::move(experiment)});
}

} // namespace helio
