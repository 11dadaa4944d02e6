#include "core/plugin/plugin_analysis.h"

#include "core/io/fingerprint.h"
#include "core/io/mapped_file.h"
#include "core/plugin/plugin_crash_guard.h"
#include "core/plugin/plugin_host.h"

#include <dlfcn.h>

namespace helio {

namespace fs = std::filesystem;

namespace {

/// One run of a plug-in's analysis.
class PluginAnalysis final : public Analysis {
public:
    PluginAnalysis(const heliograph_analysis_v1& plugin, const std::string& title, const std::string& note, const Trace& trace,
                   StateSink& sink)
        : m_plugin(plugin)
        , m_note(note)
        , m_trace{trace}
        , m_output{sink, title}
    {
    }
    PluginAnalysis(const PluginAnalysis&) = delete;
    PluginAnalysis& operator=(const PluginAnalysis&) = delete;
    ~PluginAnalysis() override
    {
        const PluginCrashGuard work(m_note);
        if (m_self)
            m_plugin.drop(m_self);
    }

    void begin(HostTimestamp at) override
    {
        const PluginCrashGuard work(m_note);
        m_self = m_plugin.begin(&pluginHost(), &m_trace, &m_output, nanoseconds(at));
        if (!m_self)
            m_output.diagnostics.push_back({Diagnostic::Severity::Error,
                                            "plugin-not-begun",
                                            {},
                                            0,
                                            1,
                                            std::string("the plug-in's analysis ") + m_plugin.id + " could not start"});
    }

    void onEvents(const EventRun& run) override
    {
        if (!m_self)
            return;
        const PluginCrashGuard work(m_note);
        heliograph_event event{m_trace, {nullptr, nullptr, run.packet, run.stream}};
        for (const EventRecord& record : run.records) {
            event.event.record = &record;
            event.event.type = &m_trace.trace.eventTypes()[record.type];
            m_plugin.event(m_self, &event);
            ++m_output.event;
        }
    }

    void onLoss(const Loss& loss) override
    {
        const PluginCrashGuard work(m_note);
        if (m_self && m_plugin.loss)
            m_plugin.loss(m_self, nanoseconds(loss.range.begin), nanoseconds(loss.range.end), loss.cpu);
    }

    void finish(HostTimestamp at) override
    {
        const PluginCrashGuard work(m_note);
        if (m_self)
            m_plugin.finish(m_self, nanoseconds(at));
    }

    std::vector<Diagnostic> diagnostics() override { return std::move(m_output.diagnostics); }

private:
    const heliograph_analysis_v1& m_plugin;
    const std::string m_note;
    heliograph_trace m_trace;
    heliograph_output m_output;
    void* m_self = nullptr; ///< Object returned by the plug-in's begin(); nullptr if the analysis could not begin.
};

std::string textOr(const char* text, const char* otherwise = "") { return text ? text : otherwise; }

/// Converts a view of the plug-in interface. `analysis` is the title of the analysis, which is used as the tip of a view without a tip.
TrackView viewOf(const heliograph_view& view, const std::string& analysis)
{
    const bool isCurves = view.shape == HELIOGRAPH_CURVES;
    TrackView made;
    made.id = textOr(view.id);
    made.title = textOr(view.title);
    made.tip = textOr(view.tip, ("From the plug-in analysis " + analysis).c_str());
    made.shape = isCurves ? TrackView::Shape::Curves : TrackView::Shape::Rows;
    made.one = textOr(view.one, isCurves ? "counter" : "row");
    made.many = textOr(view.many, isCurves ? "counters" : "rows");
    made.nothing = textOr(view.nothing);
    return made;
}

/// Returns the title of the analysis. Without a title, returns the title of its first view; without a view, its id.
std::string titleOf(const heliograph_analysis_v1& analysis)
{
    const auto views = std::span(analysis.views, analysis.view_count);
    const std::string own = textOr(analysis.title, views.empty() ? "" : textOr(views.front().title).c_str());
    return own.empty() ? textOr(analysis.id) : own;
}

using Entry = decltype(&heliograph_analysis);

constexpr std::uint32_t MostAnalyses = 256;

/// Returns the first 32 bits of the fingerprint of `bytes`.
std::uint32_t hashOf(std::span<const std::byte> bytes)
{
    Fingerprint fingerprint;
    fingerprint.add(bytes);
    return static_cast<std::uint32_t>(std::stoul(fingerprint.text().substr(0, 8), nullptr, 16));
}

} // namespace

std::string PluginAnalysisKind::findDefect(const heliograph_analysis_v1& it)
{
    if (it.size < sizeof(heliograph_analysis_v1))
        return "it was built for an older plug-in interface";
    if (textOr(it.id).empty())
        return "one of its analyses has no id";
    if (!it.applies || !it.begin || !it.event || !it.finish || !it.drop)
        return "its analysis \"" + textOr(it.id) + "\" lacks a function";
    if (it.view_count > 0 && !it.views)
        return "its analysis \"" + textOr(it.id) + "\" lacks its views";
    return {};
}

PluginAnalysisKind::PluginAnalysisKind(const heliograph_analysis_v1& analysis, std::filesystem::path file, std::uint32_t fileHash,
                                       std::string note)
    : m_analysis(analysis)
    , m_id(analysis.id)
    , m_title(titleOf(analysis))
    , m_file(std::move(file))
    , m_version(static_cast<int>((fileHash ^ static_cast<std::uint32_t>(analysis.version)) & 0x7fffffff))
    , m_note(std::move(note))
{
    for (const heliograph_view& view : std::span(analysis.views, analysis.view_count))
        m_views.push_back(viewOf(view, m_title));
}

bool PluginAnalysisKind::appliesTo(const Trace& trace) const
{
    const PluginCrashGuard work(m_note);
    const heliograph_trace it{trace};
    return m_analysis.applies(&pluginHost(), &it) != 0;
}

std::unique_ptr<Analysis> PluginAnalysisKind::make(const AnalysisInput& input, StateSink& sink) const
{
    return std::make_unique<PluginAnalysis>(m_analysis, m_title, m_note, input.trace, sink);
}

Result<std::vector<std::shared_ptr<const AnalysisKind>>> loadPlugin(const fs::path& file, const std::string& note)
{
    const auto fails = [&](Error::Kind kind, const std::string& what) { return Error{kind, file.string() + ": " + what}; };
    const auto bytes = MappedFile::open(file);
    if (!bytes)
        return fails(bytes.error().kind, "the plug-in cannot be read: " + bytes.error().what);
    void* library = dlopen(fs::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return fails(Error::Kind::Unreadable, std::string("not a plug-in: ") + dlerror());
    const auto entry = reinterpret_cast<Entry>(dlsym(library, "heliograph_analysis"));
    if (!entry)
        return fails(Error::Kind::Unsupported, "not a plug-in: it has no function heliograph_analysis()");
    std::vector<std::shared_ptr<const AnalysisKind>> kinds;
    const std::uint32_t hash = hashOf((*bytes)->bytes());
    for (std::uint32_t i = 0; i < MostAnalyses; ++i) {
        const heliograph_analysis_v1* analysis = entry(HELIOGRAPH_PLUGIN_ABI, i);
        if (!analysis)
            break;
        if (const std::string wrong = PluginAnalysisKind::findDefect(*analysis); !wrong.empty())
            return fails(Error::Kind::Unsupported, wrong);
        kinds.push_back(std::make_shared<PluginAnalysisKind>(*analysis, file, hash, note));
    }
    if (kinds.empty())
        return fails(Error::Kind::Unsupported,
                     "it has no analysis for version " + std::to_string(HELIOGRAPH_PLUGIN_ABI) + " of the plug-in interface");
    return kinds;
}

} // namespace helio
