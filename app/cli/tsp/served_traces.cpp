#include "app/cli/tsp/served_traces.h"

#include "core/query/related/related.h"

#include <QUuid>

#include <algorithm>

namespace helio {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t MostTraces = 1'000;
constexpr std::size_t MostExperiments = 50;

/// Returns a UUID for texts: equal ones for equal texts.
std::string uuidOf(const std::vector<std::string>& texts)
{
    static const QUuid space = QUuid::createUuidV5(QUuid(), QByteArray("heliograph"));
    QByteArray all;
    for (const std::string& text : texts)
        all.append(text.data(), qsizetype(text.size())).append('\0');
    return QUuid::createUuidV5(space, all).toString(QUuid::WithoutBraces).toStdString();
}

/// Returns the facts of a trace's recordings; values of several recordings are joined.
std::map<std::string, std::string> propertiesOf(const Timeline& timeline)
{
    std::map<std::string, std::string> properties;
    const auto add = [&](const char* name, const std::string& value) {
        std::string& all = properties[name];
        if (value.empty() || (", " + all + ", ").find(", " + value + ", ") != std::string::npos)
            return;
        all += (all.empty() ? "" : ", ") + value;
    };
    for (const TimelineTrace& each : timeline.traces) {
        const TraceInfo& info = each.trace->info();
        add("hostname", info.hostname);
        add("format", info.format);
        add("tracer", info.text("tracer_name"));
    }
    std::erase_if(properties, [](const auto& it) { return it.second.empty(); });
    return properties;
}

template <typename T>
std::vector<T> inOrderOfNames(const std::map<std::string, T, std::less<>>& all, const std::function<std::string(const T&)>& name)
{
    std::vector<T> sorted;
    for (const auto& [uuid, it] : all)
        sorted.push_back(it);
    std::ranges::stable_sort(sorted, {}, name);
    return sorted;
}

int statusOf(const Error& error) { return error.kind == Error::Kind::Cancelled ? 503 : error.kind == Error::Kind::Full ? 500 : 406; }

} // namespace

Result<std::shared_ptr<const Timeline>> ServedExperiment::timelineOf(const std::string& view, std::stop_token stop) const
{
    auto now = timeline();
    return now->isComplete ? withRowsOfStates(std::move(now), view, std::move(stop))
                           : Result<std::shared_ptr<const Timeline>>(std::move(now));
}

std::string ServedExperiment::problem() const
{
    if (isIndexing() || timeline()->isComplete)
        return {};
    const Status done = m_experiment->wait();
    return done ? "the traces were not indexed completely" : done.error().what;
}

void ServedExperiment::noteEarlyStyles(const std::string& output)
{
    const std::lock_guard lock(m_stylesMutex);
    m_earlyStyles.insert(output);
}

bool ServedExperiment::hasEarlyStyles(const std::string& output) const
{
    const std::lock_guard lock(m_stylesMutex);
    return m_earlyStyles.contains(output);
}

void ServedExperiment::withEvents(const std::shared_ptr<const Timeline>& timeline, const std::function<void(EventTable&)>& use)
{
    const std::lock_guard lock(m_mutex);
    if (m_eventsOf != timeline) {
        m_events = std::make_unique<EventTable>(timeline);
        m_eventsOf = timeline;
    }
    use(*m_events);
}

std::vector<ServedTraces::TracePtr> ServedTraces::traces() const
{
    const std::lock_guard lock(m_mutex);
    return inOrderOfNames<TracePtr>(m_traces, [](const TracePtr& it) { return it->name; });
}

ServedTraces::TracePtr ServedTraces::findTrace(std::string_view uuid) const
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_traces.find(uuid);
    return found == m_traces.end() ? nullptr : found->second;
}

std::variant<ServedTraces::TracePtr, ServedProblem> ServedTraces::addTrace(const std::string& uri, const std::string& name,
                                                                           std::stop_token stop)
{
    const auto path = m_folders.resolve(uri);
    if (!path)
        return ServedProblem{path.error().kind == Error::Kind::NotFound    ? 404
                                 : path.error().kind == Error::Kind::Usage ? 403
                                                                           : 400,
                             path.error().what};
    auto trace = std::make_shared<ServedTrace>();
    trace->path = *path;
    trace->name = name.empty() ? path->filename().string() : name;
    trace->uuid = uuidOf({trace->path.string(), trace->name});
    // Returns the trace of this name, or the reason why it cannot be added; nullopt if it can be added. Requires: m_mutex is locked.
    const auto findExisting = [&]() -> std::optional<std::variant<TracePtr, ServedProblem>> {
        const auto same = std::ranges::find_if(m_traces, [&](const auto& it) { return it.second->name == trace->name; });
        if (same != m_traces.end() && same->second->path == trace->path)
            return same->second;
        if (same != m_traces.end())
            return ServedProblem{409, "there is another trace with the name \"" + trace->name + '"', same->first};
        if (m_traces.size() == MostTraces)
            return ServedProblem{400, "the server has " + std::to_string(MostTraces) + " traces; remove some of them"};
        return {};
    };
    {
        const std::lock_guard lock(m_mutex);
        if (auto existing = findExisting())
            return *existing;
    }
    const auto opened = m_open({trace->path}, std::move(stop));
    if (!opened)
        return ServedProblem{statusOf(opened.error()), opened.error().what};
    trace->properties = propertiesOf(*(*opened)->timeline());
    const std::lock_guard lock(m_mutex);
    if (auto existing = findExisting()) // Another client may have added it meanwhile.
        return *existing;
    m_traces[trace->uuid] = trace;
    return TracePtr(trace);
}

std::variant<ServedTraces::TracePtr, ServedProblem> ServedTraces::removeTrace(std::string_view uuid)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_traces.find(uuid);
    if (found == m_traces.end())
        return ServedProblem{404, "there is no trace with this UUID"};
    const auto uses = [&](const auto& it) { return std::ranges::find(it.second->traces(), found->second) != it.second->traces().end(); };
    if (const auto user = std::ranges::find_if(m_experiments, uses); user != m_experiments.end())
        return ServedProblem{409, "the experiment \"" + user->second->name() + "\" uses the trace", found->first};
    TracePtr removed = found->second;
    m_traces.erase(found);
    return removed;
}

std::vector<ServedTraces::ExperimentPtr> ServedTraces::experiments() const
{
    const std::lock_guard lock(m_mutex);
    return inOrderOfNames<ExperimentPtr>(m_experiments, [](const ExperimentPtr& it) { return it->name(); });
}

ServedTraces::ExperimentPtr ServedTraces::findExperiment(std::string_view uuid) const
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_experiments.find(uuid);
    return found == m_experiments.end() ? nullptr : found->second;
}

std::variant<ServedTraces::ExperimentPtr, ServedProblem>
ServedTraces::addExperiment(const std::string& name, const std::vector<std::string>& traces, std::stop_token stop)
{
    std::vector<TracePtr> used;
    std::vector<fs::path> paths;
    std::vector<std::string> identity{name};
    for (const std::string& uuid : traces) {
        const TracePtr trace = findTrace(uuid);
        if (!trace)
            return ServedProblem{404, "there is no trace with the UUID \"" + uuid + '"'};
        if (std::ranges::find(used, trace) != used.end())
            return ServedProblem{400, "the trace \"" + trace->name + "\" is named twice"};
        // A link may have replaced a folder since the trace was added.
        if (const auto path = m_folders.resolve(trace->path.string()); !path || *path != trace->path)
            return ServedProblem{403, "the trace \"" + trace->name + "\" is no longer below the folders of the server (--root)"};
        used.push_back(trace);
        paths.push_back(trace->path);
        identity.push_back(uuid);
    }
    const std::string uuid = uuidOf(identity);
    const auto findExisting = [&]() -> std::optional<std::variant<ExperimentPtr, ServedProblem>> {
        const auto same = std::ranges::find_if(m_experiments, [&](const auto& it) { return it.second->name() == name; });
        if (same != m_experiments.end() && same->first == uuid)
            return same->second;
        if (same != m_experiments.end())
            return ServedProblem{409, "there is another experiment with the name \"" + name + '"', same->first};
        if (m_experiments.size() == MostExperiments)
            return ServedProblem{400, "the server has " + std::to_string(MostExperiments) + " open experiments; close some of them"};
        return {};
    };
    {
        const std::lock_guard lock(m_mutex);
        if (auto existing = findExisting())
            return *existing;
    }
    auto opened = m_open(paths, std::move(stop));
    if (!opened)
        return ServedProblem{statusOf(opened.error()), opened.error().what};
    const std::shared_ptr<Experiment> experiment = std::move(*opened);
    auto added = std::make_shared<ServedExperiment>(uuid, name, used, experiment);
    {
        const std::lock_guard lock(m_mutex);
        if (auto existing = findExisting())
            return *existing;
        const auto isThere = [&](const TracePtr& trace) { return m_traces.contains(trace->uuid); };
        if (!std::ranges::all_of(used, isThere))
            return ServedProblem{404, "a trace of the experiment was removed meanwhile"};
        m_experiments[uuid] = added;
    }
    experiment->start([] {}); // With a function, snapshots of unfinished stores are published.
    return added;
}

std::variant<ServedTraces::ExperimentPtr, ServedProblem> ServedTraces::removeExperiment(std::string_view uuid)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_experiments.find(uuid);
    if (found == m_experiments.end())
        return ServedProblem{404, "there is no experiment with this UUID"};
    ExperimentPtr removed = found->second;
    m_experiments.erase(found);
    return removed;
}

} // namespace helio
