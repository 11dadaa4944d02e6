#include "core/xml_analysis/xml_analysis_kind.h"

#include "core/xml_analysis/reach/recording.h"
#include "core/xml_analysis/reach/shown_by.h"

#include <algorithm>
#include <functional>

namespace helio::xml {
namespace {

/// Version of the engine. Increase it when the output for the same file changes.
constexpr std::uint64_t EngineVersion = 8;

std::vector<TrackView> viewsOf(const XmlAnalysisDefinition& it)
{
    std::vector<TrackView> views;
    for (const View& view : it.views) {
        TrackView made{.id = view.id, .title = view.title(), .tip = it.program.title() + ", from " + it.file};
        made.shape = view.kind == View::Kind::Curves ? TrackView::Shape::Curves : TrackView::Shape::Rows;
        made.one = made.shape == TrackView::Shape::Curves ? "series" : "row";
        made.many = made.shape == TrackView::Shape::Curves ? "series" : "rows";
        made.nothing = "The analysis " + it.program.title() + " found nothing for this view.";
        if (const std::string what = describeShownAttributes(it.program, view); !what.empty())
            made.nothing += " " + what;
        views.push_back(std::move(made));
    }
    for (const CallStacks& stacks : it.callStacks) {
        TrackView made{.id = stacks.id,
                       .title = "Call stacks: " + it.program.title(),
                       .tip = it.program.title() + ", from " + it.file,
                       .areCalls = true};
        made.order = 16;
        made.one = "thread";
        made.many = "threads";
        made.number = "TID";
        made.nothing = "The analysis " + it.program.title() + " found no call stacks. " + describeShownAttributes(it.program, stacks);
        views.push_back(std::move(made));
    }
    TrackView tree{.id = it.program.id, .title = it.program.title() + " (attributes)", .tip = "All attributes of the analysis"};
    tree.isAttributeView = true;
    tree.beginsCollapsed = true;
    tree.order = 200;
    tree.one = "attribute";
    tree.many = "attributes";
    tree.nothing = "The analysis set no attribute: no rule matched, or the values were null, e.g. because an event "
                   "lacks the field. heliograph analyses check FILE --trace TRACE counts both.";
    views.push_back(std::move(tree));
    return views;
}

std::string joined(const std::vector<std::string>& names, const char* between)
{
    std::string all;
    for (const std::string& name : names)
        all += (all.empty() ? "" : between) + name;
    return all;
}

/// Returns a description of a trace type of a custom parser, which a user defined for text or XML files of other programs; empty for other
/// types.
std::string customParser(const std::string& type)
{
    for (const auto& [prefix, what] : {std::pair("custom.txt.trace", "text"), std::pair("custom.xml.trace", "XML")})
        if (type.starts_with(prefix)) {
            const std::string name = type.size() > std::string_view(prefix).size() ? type.substr(std::string_view(prefix).size() + 1) : "";
            return std::string(what) + (name.empty() ? " that a custom parser reads" : " that the custom parser \"" + name + "\" reads");
        }
    return {};
}

bool isKernelType(const std::string& type) { return type.find("lttng2.kernel.tracetype") != std::string::npos; }
bool isUserSpaceType(const std::string& type) { return type.find("lttng2.ust.tracetype") != std::string::npos; }
/// True for the types of CTF traces, whatever the tracer.
bool isCtfType(const std::string& type)
{
    return type.find("ctf.core.tracetype") != std::string::npos || type.find("tmf.ctf") != std::string::npos;
}

} // namespace

bool isForTrace(const Program& program, const Trace& trace)
{
    const auto isOf = [&](const std::string& type) {
        const std::string domain = trace.info().text("domain");
        if (isKernelType(type))
            return domain == "kernel" || trace.info().format.starts_with("perf");
        return isUserSpaceType(type) ? domain == "ust" : isCtfType(type);
    };
    return program.traceTypes.empty() || std::ranges::any_of(program.traceTypes, isOf);
}

std::string describeTraceTypes(const Program& program)
{
    std::vector<std::string> all;
    for (const std::string& type : program.traceTypes) {
        std::string words = isKernelType(type) ? "kernel traces"
            : isUserSpaceType(type)            ? "user-space traces"
            : isCtfType(type)                  ? "CTF traces"
            : !customParser(type).empty()      ? "traces of " + customParser(type) + " (not supported yet)"
                                               : "traces of the type " + type;
        if (std::ranges::find(all, words) == all.end())
            all.push_back(std::move(words));
    }
    return joined(all, " or ");
}

std::string explainUnreadableTypes(const Program& program)
{
    const bool isForNone = !program.traceTypes.empty() && std::ranges::all_of(program.traceTypes, [](const std::string& type) {
        return !customParser(type).empty() && type.find(".experiment") == std::string::npos;
    });
    return isForNone ? "it is for " + describeTraceTypes(program) : std::string();
}

bool isForExperiments(const Program& program)
{
    return std::ranges::any_of(program.traceTypes, [](const std::string& type) { return type.find(".experiment") != std::string::npos; });
}

XmlAnalysisKind::XmlAnalysisKind(XmlAnalysisDefinition declaration, std::uint64_t hash, bool isGiven)
    : m_declaration(std::move(declaration))
    , m_version(static_cast<int>((hash ^ hash >> 32 ^ EngineVersion * 0x9e3779b9) & 0x7fffffff))
    , m_isGiven(isGiven)
    , m_views(viewsOf(m_declaration))
    , m_requirements(m_declaration.program, m_declaration.views, m_declaration.callStacks)
{
    addRecordCommands();
}

/// Adds the names of the events that the analysis needs to its views, so that the views can name the command that records these events. All
/// events are added, even if the trace already has an event type of that name, because a type may be declared without any recorded event.
void XmlAnalysisKind::addRecordCommands()
{
    /// Maximum length of a command in characters. The user would not read a longer command, so it is not shown.
    constexpr std::size_t MostShown = 300;
    const auto isOfLttng = [](const std::string& type) { return type.find("lttng2.") != std::string::npos; };
    if (std::ranges::none_of(m_declaration.program.traceTypes, isOfLttng))
        return;
    const std::vector<std::string> patterns = m_requirements.missing({});
    const std::string command = recordEventsCommand(patterns, Tracer::Lttng);
    if (command.empty() || command.size() > MostShown)
        return;
    for (TrackView& view : m_views)
        if (!view.isAttributeView)
            view.events = patterns;
}

bool XmlAnalysisKind::appliesTo(const Trace& trace) const
{
    if (!trace.info().hasTimes)
        return false;
    return m_isGiven || (isForTrace(m_declaration.program, trace) && hasEventsIn(trace));
}

std::string XmlAnalysisKind::explainMissingEvents(std::span<const Trace* const> traces) const
{
    // Maximum number of event names in the text; a file may need hundreds of events.
    constexpr std::size_t MostNamed = 12;
    std::vector<std::string> lacks = inWords(m_requirements.missing(traces));
    if (lacks.size() > MostNamed) {
        lacks.resize(MostNamed);
        lacks.push_back("...");
    }
    return m_declaration.program.title() + " needs events that were not recorded" + (lacks.empty() ? "" : ": " + joined(lacks, ", "));
}

std::vector<MissingEvents> XmlAnalysisKind::missing(const Trace& trace) const
{
    const Program& program = m_declaration.program;
    if (!isForTrace(program, trace) || hasEventsIn(trace))
        return {};
    const std::vector<std::string> patterns = m_requirements.missing(std::vector{&trace});
    const std::string command = recordEventsCommand(patterns, tracerOf(trace.info()));
    std::vector<MissingEvents> all;
    for (const TrackView& view : m_views)
        all.push_back({view.id, inWords(patterns), program.title() + " needs events that were not recorded", command, true});
    return all;
}

std::unique_ptr<Analysis> XmlAnalysisKind::make(const AnalysisInput& input, StateSink& sink) const
{
    return std::make_unique<XmlAnalysis>(m_declaration, input.trace, sink);
}

} // namespace helio::xml
