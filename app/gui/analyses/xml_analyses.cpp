#include "app/gui/analyses/xml_analyses.h"

#include "app/gui/analyses/plugin_list.h"
#include "core/findings/finder.h"
#include "core/xml_analysis/merged/merged_analysis.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace helio {

namespace {

void add(const std::vector<xml::RuleReport>& from, std::vector<RuleFacts>& to)
{
    to.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
        to[i].line = int(from[i].place.line);
        to[i].element = QString::fromStdString(from[i].element);
        to[i].what = QString::fromStdString(from[i].what);
        to[i].events += from[i].events;
        to[i].fired += from[i].fired;
        for (const std::string& field : from[i].missing)
            if (const QString name = QString::fromStdString(field); !to[i].missing.contains(name))
                to[i].missing << name;
    }
}

} // namespace

using namespace xml;

namespace {

/// True if a finder of the dock "What stands out" reads a view of the analysis. Such an analysis runs without being asked for, where the
/// recording has its events.
bool isReadByFinder(const ListedAnalysis& it)
{
    const auto reads = [&](const Finder* finder) {
        return finder->view
            && std::ranges::find(it.kind->views(), std::string_view(finder->view), &TrackView::id) != it.kind->views().end();
    };
    return it.kind && std::ranges::any_of(builtinFinders(), reads);
}

QString textOf(const std::filesystem::path& path) { return QString::fromStdString(path.string()); }

QString originText(AnalysisOrigin origin)
{
    switch (origin) {
    case AnalysisOrigin::Given: return XmlAnalyses::tr("loaded");
    case AnalysisOrigin::Trace: return XmlAnalyses::tr("next to the trace");
    case AnalysisOrigin::User: return XmlAnalyses::tr("user");
    case AnalysisOrigin::System: return XmlAnalyses::tr("system");
    default: return XmlAnalyses::tr("built-in");
    }
}

QString pathOf(const AnalysisFile& file) { return file.origin == AnalysisOrigin::Builtin ? QString() : textOf(file.path); }

} // namespace

XmlAnalyses::XmlAnalyses(QObject* parent)
    : QObject(parent)
    , m_folders(analysisFolders({}))
{
    connect(&m_watch, &FileWatch::changed, this, &XmlAnalyses::readAgain);
    read();
    m_marks = marks();
}

void XmlAnalyses::setBase(const ExperimentOptions& options)
{
    m_base = options.analyses ? options.analyses : Analyses::builtin();
    m_baseRelations = options.relations ? options.relations : CorrelatorRegistry::builtin();
    readAgain();
}

void XmlAnalyses::setBaseAnalyses(std::shared_ptr<const Analyses> base)
{
    m_base = std::move(base);
    m_listed = listAnalyses(m_used, *m_base);
    m_marks = marks();
}

void XmlAnalyses::addGiven(const std::vector<std::filesystem::path>& files)
{
    for (const auto& file : files)
        if (std::ranges::find(m_given, file) == m_given.end())
            m_given.push_back(file);
    if (!files.empty())
        readAgain();
}

void XmlAnalyses::addForOpenTraces(const std::filesystem::path& file)
{
    if (std::ranges::find(m_given, file) != m_given.end())
        return readAgain();
    m_forOpenTraces.push_back(file);
    addGiven({file});
}

void XmlAnalyses::setTraces(const std::vector<std::filesystem::path>& traces)
{
    if (!m_traces.empty() && traces != m_traces) {
        std::erase_if(m_given, [this](const auto& file) { return std::ranges::find(m_forOpenTraces, file) != m_forOpenTraces.end(); });
        m_forOpenTraces.clear();
    }
    m_traces = traces;
    m_folders = analysisFolders(traces);
    readAgain();
}

void XmlAnalyses::setSwitches(QMap<QString, bool> switches)
{
    m_switches = std::move(switches);
    list();
}

void XmlAnalyses::readAgain()
{
    read();
    list();
}

void XmlAnalyses::read()
{
    m_files = readAnalysisFiles(m_given, m_folders);
    std::map<std::filesystem::path, AnalysisFile> good;
    m_used.clear();
    m_problems.clear();
    for (const AnalysisFile& file : m_files) {
        const auto before = m_lastValid.find(file.path);
        m_used.push_back(file.content.isUsable() || before == m_lastValid.end() ? file : before->second);
        if (m_used.back().content.isUsable())
            good.insert_or_assign(file.path, m_used.back());
        for (const Problem& problem : file.content.problems)
            m_problems.push_back({textOf(file.path), int(problem.place.line),
                                  QString::fromStdString(xml::textOf(problem, file.path.string())), problem.isWarning});
    }
    m_lastValid = std::move(good);
    m_listed = listAnalyses(m_used, *m_base);
    watch();
}

void XmlAnalyses::watch()
{
    QStringList files;
    QStringList folders;
    for (const AnalysisFile& file : m_files)
        if (file.origin != AnalysisOrigin::Builtin)
            files << textOf(file.path);
    for (const AnalysisFolder& folder : m_folders)
        folders << textOf(folder.path);
    m_watch.watch(files, folders);
}

void XmlAnalyses::list()
{
    const bool areOthers = std::exchange(m_marks, marks()) != m_marks;
    emit filesRead();
    if (areOthers)
        emit changed();
}

bool XmlAnalyses::isOn(const ListedAnalysis& it) const
{
    return m_switches.value(QString::fromStdString(it.id), runsByDefault(m_used[it.file].origin) || isReadByFinder(it));
}

std::vector<XmlAnalyses::AnalysisIdentity> XmlAnalyses::marks() const
{
    std::vector<AnalysisIdentity> all;
    for (const ListedAnalysis& it : m_listed)
        if (it.kind)
            all.push_back({it.id, it.kind->version(), isOn(it)});
    for (const auto& kind : m_base->all())
        if (isPluginOff(*kind, m_switches))
            all.push_back({std::string(kind->id()), kind->version(), false});
    return all;
}

void XmlAnalyses::switchPlugins(Analyses& analyses) const
{
    for (const auto& kind : m_base->all())
        if (isPluginOff(*kind, m_switches))
            analyses.switchOff(kind->id());
}

void XmlAnalyses::addTo(ExperimentOptions& options) const
{
    auto analyses = std::make_shared<Analyses>(*m_base);
    switchPlugins(*analyses);
    addAnalyses(m_listed, *analyses, [this](const ListedAnalysis& it) { return isOn(it); });
    options.analyses = std::move(analyses);
    auto relations = std::make_shared<CorrelatorRegistry>(*m_baseRelations);
    const auto added = addMergedAnalyses(m_listed, *relations, [this](const ListedAnalysis& it) { return isOn(it); });
    Q_ASSERT(added); // addMergedAnalyses() cannot fail, because m_listed uses each id only once.
    Q_UNUSED(added);
    options.relations = std::move(relations);
}

AnalysisList::Try XmlAnalyses::trial() const
{
    std::map<std::string, std::shared_ptr<const XmlAnalysisKind>> kinds;
    for (const ListedAnalysis& it : m_listed)
        if (it.kind)
            kinds.emplace(it.id, it.kind);
    return [kinds = std::move(kinds)](const Timeline& timeline, const std::string& id, std::optional<std::size_t> rule,
                                      std::stop_token stop) -> std::shared_ptr<const AnalysisTrial> {
        const auto found = kinds.find(id);
        return found != kinds.end() ? std::make_shared<const AnalysisTrial>(runTrial(*found->second, timeline, rule, stop)) : nullptr;
    };
}

AnalysisEntry XmlAnalyses::entryOf(const ListedAnalysis& it, const Timeline* timeline) const
{
    const AnalysisFile& file = m_files[it.file];
    AnalysisEntry entry;
    entry.id = QString::fromStdString(it.id);
    entry.label = QString::fromStdString(it.label);
    entry.origin = originText(file.origin);
    entry.path = pathOf(file);
    entry.source = QString::fromStdString(file.text);
    entry.isOn = it.kind && isOn(it);
    entry.reason = QString::fromStdString(it.whyNot);
    if (!it.kind)
        return entry;
    for (const TrackView& view : it.kind->views())
        if (view.isAttributeView)
            entry.attributes = QString::fromStdString(view.id);
    if (timeline)
        entry.reason = QString::fromStdString(explainNotApplicable(*it.kind, *timeline));
    entry.applies = entry.reason.isEmpty();
    return entry;
}

std::vector<AnalysisEntry> XmlAnalyses::entries(const Timeline* timeline) const
{
    std::vector<AnalysisEntry> all;
    for (const ListedAnalysis& it : m_listed)
        all.push_back(entryOf(it, timeline));
    // Add an entry with the error for each file that has errors in its current version and in all versions that were read before.
    for (std::size_t i = 0; i < m_files.size(); ++i) {
        if (m_used[i].content.isUsable())
            continue;
        const auto& problems = m_files[i].content.problems;
        const auto error = std::ranges::find(problems, false, &Problem::isWarning);
        AnalysisEntry entry;
        entry.id = textOf(m_files[i].path);
        entry.label = QFileInfo(entry.id).fileName();
        entry.origin = originText(m_files[i].origin);
        entry.path = pathOf(m_files[i]);
        entry.source = QString::fromStdString(m_files[i].text);
        entry.applies = false;
        entry.reason = QString::fromStdString(error != problems.end() ? xml::textOf(*error, m_files[i].path.string()) : std::string());
        all.push_back(std::move(entry));
    }
    return all;
}

AnalysisTrial runTrial(const XmlAnalysisKind& kind, const Timeline& timeline, std::optional<std::size_t> rule, std::stop_token stop)
{
    const auto kept = rule ? std::optional(FiringTimesRequest{*rule, AnalysisTrial::MostTimes}) : std::nullopt;
    AnalysisTrial trial;
    const auto take = [&](const CheckReport& report, const ClockTransform& clock) {
        add(report.rules, trial.rules);
        for (const HostTimestamp at : report.times)
            trial.times.push_back(clock(at));
        for (const Diagnostic& problem : report.problems)
            trial.problems << QString::fromStdString(problem.what);
    };
    if (isForExperiments(kind.declaration().program))
        take(checkMergedAnalysis(kind, timeline, stop, kept), {});
    else
        for (const TimelineTrace& t : timeline.traces)
            if (!stop.stop_requested() && t.trace && kind.appliesTo(*t.trace))
                take(checkAnalysis(kind, *t.trace, stop, kept), t.clock);
    std::ranges::sort(trial.times);
    if (trial.times.size() > AnalysisTrial::MostTimes)
        trial.times.resize(AnalysisTrial::MostTimes);
    return trial;
}

} // namespace helio
