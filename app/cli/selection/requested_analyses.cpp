#include "app/cli/selection/requested_analyses.h"

#include "app/cli/output/output.h"
#include "core/xml_analysis/catalog.h"
#include "core/xml_analysis/merged/merged_analysis.h"

#include <algorithm>
#include <mutex>
#include <set>

namespace helio {

using namespace xml;

namespace {

/// Returns the faults of a file, one per line.
std::string faultsOf(const AnalysisFile& file)
{
    std::string faults;
    for (const Problem& problem : file.content.problems)
        if (!problem.isWarning)
            faults += (faults.empty() ? "" : "\n") + textOf(problem, file.path.string());
    return faults;
}

bool isWanted(const ListedAnalysis& it, const OpeningOptions& opening)
{
    const auto isAsked = [&](const std::string& id) { return std::ranges::find(opening.wanted, id) != opening.wanted.end(); };
    return opening.wantsAll || isAsked(it.id)
        || std::ranges::any_of(it.kind->views(), [&](const TrackView& view) { return isAsked(view.id); });
}

/// Prints the warnings about analysis files that the user named, or whose analyses are requested.
void reportWarnings(const FoundAnalyses& found, const OpeningOptions& opening)
{
    std::set<std::size_t> meant;
    for (const ListedAnalysis& it : found.listed)
        if (it.kind && (found.files[it.file].origin == AnalysisOrigin::Given || isWanted(it, opening))) {
            meant.insert(it.file);
            for (const std::string& note : it.notes)
                warn(note);
        }
    for (std::size_t file : meant)
        for (const Problem& problem : found.files[file].content.problems)
            if (problem.isWarning)
                warn(textOf(problem, found.files[file].path.string()));
}

const std::shared_ptr<const Analyses>& analysesBefore(const ReadingOptions& reading)
{
    static const auto builtin = Analyses::builtin();
    return reading.experiment.analyses ? reading.experiment.analyses : builtin;
}

/// Returns the analyses of the built-in files. They are listed once for the same analyses before, because a process may open many traces.
/// Threads: any.
std::vector<ListedAnalysis> listBuiltinAnalyses(const std::vector<AnalysisFile>& files, const std::shared_ptr<const Analyses>& before)
{
    static std::mutex mutex;
    static std::shared_ptr<const Analyses> listedFor;
    static std::vector<ListedAnalysis> listed;
    const std::scoped_lock lock(mutex);
    if (listedFor != before) {
        listed = listAnalyses(files, *before);
        listedFor = before;
    }
    return listed;
}

} // namespace

FoundAnalyses findAnalyses(const std::vector<std::filesystem::path>& traces, const ReadingOptions& reading)
{
    FoundAnalyses found;
    found.files = readAnalysisFiles(reading.analysisFiles, analysisFolders(traces));
    const std::shared_ptr<const Analyses>& before = analysesBefore(reading);
    const bool areBuiltin = std::ranges::all_of(found.files, [](const AnalysisFile& it) { return it.origin == AnalysisOrigin::Builtin; });
    found.listed = areBuiltin ? listBuiltinAnalyses(found.files, before) : listAnalyses(found.files, *before);
    return found;
}

bool isRunByDefault(const FoundAnalyses& found, const ListedAnalysis& analysis) { return runsByDefault(found.files[analysis.file].origin); }

Status chooseAnalyses(const std::vector<std::filesystem::path>& traces, const ReadingOptions& reading, const OpeningOptions& opening,
                      ExperimentOptions& experiment)
{
    const FoundAnalyses found = findAnalyses(traces, reading);
    for (const AnalysisFile& file : found.files) {
        if (file.content.isUsable())
            continue;
        if (file.origin == AnalysisOrigin::Given)
            return Error{Error::Kind::Unreadable, faultsOf(file)};
        if (!reading.isQuiet)
            warn(faultsOf(file));
    }
    for (const ListedAnalysis& it : found.listed)
        if (!it.kind && found.files[it.file].origin == AnalysisOrigin::Given)
            return Error{Error::Kind::Unreadable,
                         found.files[it.file].path.string() + ": the analysis " + it.id + " cannot run: " + it.whyNot};
    if (!reading.isQuiet)
        reportWarnings(found, opening);
    const auto isOn = [&](const ListedAnalysis& it) { return isRunByDefault(found, it) || isWanted(it, opening); };
    auto analyses = std::make_shared<Analyses>(*analysesBefore(reading));
    addAnalyses(found.listed, *analyses, isOn);
    experiment.analyses = std::move(analyses);
    auto relations = std::make_shared<CorrelatorRegistry>(experiment.relations ? *experiment.relations : *CorrelatorRegistry::builtin());
    if (auto added = addMergedAnalyses(found.listed, *relations, isOn); !added)
        return added;
    experiment.relations = std::move(relations);
    return Done{};
}

RequestableAnalyses findRequestableAnalyses(const std::vector<std::filesystem::path>& traces, const ReadingOptions& reading,
                                            const Timeline& timeline, std::string_view asked)
{
    RequestableAnalyses all;
    for (const ListedAnalysis& it : findAnalyses(traces, reading).listed) {
        const std::string whyNot = it.kind ? explainNotApplicable(*it.kind, timeline) : it.whyNot;
        const auto views = it.kind ? it.kind->views() : std::span<const TrackView>();
        if (whyNot.empty() && it.isPattern)
            all.patterns.push_back(it.id);
        if (whyNot.empty())
            std::ranges::transform(views, std::back_inserter(all.views), &TrackView::id);
        if (all.whyNot.empty() && (it.id == asked || std::ranges::find(views, asked, &TrackView::id) != views.end()))
            all.whyNot = whyNot;
    }
    return all;
}

} // namespace helio
