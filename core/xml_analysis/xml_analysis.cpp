#include "core/xml_analysis/xml_analysis.h"

#include "core/xml_analysis/check.h"
#include "core/xml_analysis/running/pattern_run.h"

#include <algorithm>
#include <cstdio>

namespace helio::xml {
namespace {

/// True if a rule uses the thread of events that do not contain their thread. The thread must then be tracked by the switches of each CPU.
bool needsThreads(const Program& program, const Trace& trace)
{
    return std::ranges::any_of(trace.eventTypes(), [&](const auto& type) {
        return std::ranges::any_of(program.fields,
                                   [&](const std::string& field) { return FieldSource(*type, field, 0).isCurrentThread(); });
    });
}

} // namespace

XmlAnalysis::XmlAnalysis(const XmlAnalysisDefinition& declaration, std::vector<const Trace*> traces, StateSink& sink, std::stop_token stop)
    : m_declaration(declaration)
    , m_stepBudget(std::move(stop))
    , m_tree(m_texts, *this, m_stepBudget)
    , m_values(m_texts, sink)
    , m_paths(m_tree)
    , m_rows(declaration.program.id, m_tree, m_values, sink)
{
    const Program& program = declaration.program;
    for (const View& view : declaration.views)
        if (view.kind == View::Kind::Rows)
            m_views.push_back(std::make_unique<ViewRows>(view, program.id, m_tree, m_paths, m_values, sink));
        else
            m_curves.push_back(std::make_unique<ViewCurves>(view, program.id, m_tree, m_paths, sink));
    for (const CallStacks& stacks : declaration.callStacks)
        m_calls.push_back(std::make_unique<CallRows>(stacks, m_tree, m_paths, sink));
    for (const Trace* trace : traces) {
        Source& source = m_sources.emplace_back(Source{trace, Binding(program, *trace, m_texts), {}, {}});
        if (EventTypeNames(*trace).hasExitsWithoutCallNames())
            source.calls.emplace(*trace);
        if (source.calls || needsThreads(program, *trace))
            source.threads.emplace(*trace);
    }
    if (program.isPattern) {
        m_segments.emplace(program, m_texts, sink);
        m_run = std::make_unique<PatternRun>(program, m_tree, *m_segments, m_problems);
        m_hasScenarios = true;
    } else {
        m_run = std::make_unique<ProviderRun>(program, m_tree, m_problems);
    }
}

void XmlAnalysis::begin(HostTimestamp at)
{
    m_begin = at;
    m_tree.begin(at);
    m_run->start(at);
}

void XmlAnalysis::takeEvents(std::size_t trace, const EventRun& run)
{
    if (m_stepBudget.isEnough())
        return;
    Source& source = m_sources[trace];
    EventView event{nullptr, nullptr, run.packet, run.stream};
    const EventTypes& types = source.trace->eventTypes();
    for (const EventRecord& record : run.records) {
        event.record = &record;
        event.type = &types[record.type];
        if (const BoundType* type = typeOf(source, event)) {
            m_run->onEvent(event, *type, source.threads ? &*source.threads : nullptr);
        } else if (m_run->wantsNextEvent()) {
            m_run->onUnmatchedEvent(record.time);
        }
        if (m_stepBudget.isEnough())
            return giveUp(record.time);
        if (source.threads && source.threads->isSwitch(record.type))
            source.threads->onSwitch(event);
    }
}

/// Returns the rules of the XML analysis for the type of an event; nullptr if it has no rules for this type.
const BoundType* XmlAnalysis::typeOf(Source& source, const EventView& event)
{
    const EventTypeId id = event.record->type;
    if (!source.calls)
        return source.binding.isUsed(id) ? &source.binding.typeOf(id) : nullptr;
    if (source.calls->isEntry(id))
        source.calls->onEntry(event, *source.threads, m_texts);
    if (source.calls->isExit(id))
        if (const auto entry = source.calls->onExit(event, *source.threads, m_texts))
            return source.binding.typeOfExit(id, *entry);
    return source.binding.isUsed(id) && source.binding.typeOf(id).isUsed ? &source.binding.typeOf(id) : nullptr;
}

/// Ends all calls and sets all attributes to null at `at`, because all states after that time are unknown.
void XmlAnalysis::giveUp(HostTimestamp at)
{
    if (m_stepBudget.isCancelled())
        return;
    m_end = at;
    for (const auto& calls : m_calls)
        calls->truncate(at);
    for (Quark attribute = 0; attribute < m_tree.count(); ++attribute)
        m_tree.set(at, attribute, {});
}

void XmlAnalysis::onLoss(const Loss& loss)
{
    for (const auto& calls : m_calls)
        calls->truncate(loss.range.end);
    for (Source& source : m_sources)
        if (source.calls)
            source.calls->forget();
}

void XmlAnalysis::finish(HostTimestamp at)
{
    if (!m_stepBudget.isEnough())
        m_run->finish(at);
    for (const auto& view : m_views)
        view->finish();
    for (const auto& curves : m_curves)
        curves->finish();
    for (const auto& calls : m_calls)
        calls->finish(at);
}

std::string XmlAnalysis::budgetExceededText() const
{
    const SourcePosition place = m_run->place();
    const std::int64_t after = nanoseconds(*m_end) - nanoseconds(m_begin);
    char seconds[64];
    std::snprintf(seconds, sizeof seconds, "%lld.%09lld", static_cast<long long>(after / 1'000'000'000),
                  static_cast<long long>(after % 1'000'000'000));
    return "line " + std::to_string(place.line) + ", column " + std::to_string(place.column) + ": " + m_stepBudget.why() + ", " + seconds
        + " s after the first event; it has no results from there on";
}

/// Adds a warning for each field that a rule reads and that none of the rule's events has. Called if the analysis set no attribute. Most
/// often, the name of the field is mistyped in the file.
void XmlAnalysis::addMissingFieldWarnings(std::vector<Diagnostic>& all) const
{
    constexpr std::size_t MostSaid = 20;
    std::size_t said = 0;
    for (const RuleReport& rule : makeRuleReports(m_declaration.program, m_run->counts()))
        for (const std::string& field : rule.alwaysMissing)
            // "TID" is not an event field: it means the thread on the CPU.
            if (rule.events > 0 && field != "TID" && ++said <= MostSaid)
                all.push_back({Diagnostic::Severity::Warning, "analysis-field", m_declaration.file, 0, 1,
                               "line " + std::to_string(rule.place.line) + ", column " + std::to_string(rule.place.column)
                                   + ": no attribute was set, and none of the " + std::to_string(rule.asked) + " events of this "
                                   + rule.element + " has a field " + field});
}

std::vector<Diagnostic> XmlAnalysis::diagnostics()
{
    std::vector<Diagnostic> all = m_problems.diagnostics(m_declaration.file);
    if (!m_hasSet)
        addMissingFieldWarnings(all);
    if (m_end)
        all.push_back({Diagnostic::Severity::Error, "analysis-effort", m_declaration.file, 0, 1, budgetExceededText()});
    if (m_unstored > 0)
        all.push_back({Diagnostic::Severity::Warning, "analysis-values", m_declaration.file, 0, m_unstored,
                       "there are more different numbers than a store can hold: some values are missing"});
    if (m_paths.refused() > 0)
        all.push_back({Diagnostic::Severity::Warning, "analysis-rows", m_declaration.file, 0, m_paths.refused(),
                       "its views contain more attributes than can be shown: rows are missing"});
    if (m_tree.refused() > 0)
        all.push_back({Diagnostic::Severity::Warning, "analysis-attributes", m_declaration.file, 0, m_tree.refused(),
                       "there are more attributes than an analysis may have: the values of the others are missing"});
    return all;
}

void XmlAnalysis::onNew(Quark attribute)
{
    m_rows.onNew(attribute);
    m_paths.onNew(attribute);
}

void XmlAnalysis::onChange(HostTimestamp from, Quark attribute, const Value& value)
{
    m_hasSet = m_hasSet || !value.isNull();
    m_unstored += m_rows.onChange(from, attribute, value) ? 0 : 1;
    for (const auto& view : m_views)
        view->onChange(from, attribute, value);
    if (!m_end) // Do not pass the null values at the end (giveUp()) to the curves, which would draw null as 0.
        for (const auto& curves : m_curves)
            curves->onChange(from, attribute, value);
    for (const auto& calls : m_calls)
        calls->onChange(from, attribute, value);
    if (m_hasScenarios)
        m_run->onChange(attribute);
}

} // namespace helio::xml
