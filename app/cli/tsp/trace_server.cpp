#include "app/cli/tsp/trace_server.h"

#include "app/cli/interrupts.h"
#include "app/cli/output/output.h"
#include "app/cli/selection/requested_analyses.h"
#include "app/cli/tsp/annotations.h"
#include "app/cli/tsp/charts.h"
#include "app/cli/tsp/data_trees.h"
#include "app/cli/tsp/event_lines.h"
#include "app/cli/tsp/http/access_rules.h"
#include "app/cli/tsp/http/http_server.h"
#include "app/cli/tsp/output_request.h"
#include "app/cli/tsp/time_graph.h"
#include "core/base/version.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/messages.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <fstream>
#include <functional>
#include <memory>
#include <sys/utsname.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <variant>

namespace helio {

namespace fs = std::filesystem;

namespace {

constexpr const char* ProtocolVersion = "0.2.0"; ///< Version of the Trace Server Protocol.
constexpr std::size_t MostTokenBytes = 4096;
constexpr std::size_t LeastTokenBytes = 16;

HttpResponse makeJsonResponse(const std::function<void(JsonWriter&)>& write, int status = 200)
{
    HttpResponse response;
    response.status = status;
    JsonWriter json(response.body);
    write(json);
    return response;
}

HttpResponse notFound() { return makeErrorResponse(404, "there is no such path in the protocol"); }

HttpResponse notAllowed(const char* methods)
{
    HttpResponse response = makeErrorResponse(405, "the path does not support this method");
    response.headers.emplace_back("Allow", methods);
    return response;
}

HttpResponse failedResponse(const Error& error)
{
    switch (error.kind) {
    case Error::Kind::NotFound: return makeErrorResponse(404, error.what);
    case Error::Kind::Usage:
    case Error::Kind::Full: return makeErrorResponse(400, error.what);
    case Error::Kind::Cancelled: return makeErrorResponse(503, error.what);
    default: return makeErrorResponse(500, error.what);
    }
}

/// Range and number of events of the recordings of a trace.
struct RecordedFacts {
    TimeRange range{};
    std::uint64_t events = 0;
    bool isComplete = true;
};

/// Returns the facts of the recordings at or below a path.
RecordedFacts factsBelow(const Timeline& timeline, const fs::path& path)
{
    RecordedFacts facts;
    bool isFirst = true;
    for (std::uint32_t i = 0; i < timeline.traces.size(); ++i) {
        const std::string own = timeline.traces[i].trace->info().path.string();
        if (own != path.string() && !own.starts_with(path.string() + '/'))
            continue;
        const TimeRange range = coveredRange(timeline, i);
        facts.range = isFirst ? range : TimeRange{std::min(facts.range.begin, range.begin), std::max(facts.range.end, range.end)};
        isFirst = false;
        const auto& recorded = timeline.traces[i].facts;
        facts.events += recorded ? recorded->summary().events : 0;
        facts.isComplete = facts.isComplete && recorded && recorded->isComplete();
    }
    return facts;
}

/// Returns the problems of the traces of an experiment, one on each line; empty if there are none.
std::string problemsOf(const Timeline& timeline)
{
    constexpr std::size_t MostBytes = 4'096;
    std::string text;
    const auto add = [&](Diagnostic::Severity severity, const std::string& what) {
        if (severity != Diagnostic::Severity::Info && text.size() + what.size() < MostBytes)
            text += (text.empty() ? "" : "\n") + what;
    };
    for (const Diagnostic& problem : timeline.diagnostics)
        add(problem.severity, (problem.file.empty() ? "" : problem.file + ": ") + problem.what);
    for (const Message& damage : damages(timeline))
        add(damage.severity, damage.text);
    return text;
}

/// Writes a trace. `timeline`: contents of an experiment that contains the trace; nullptr if none does.
void writeTrace(JsonWriter& json, const ServedTrace& trace, const Timeline* timeline, bool isIndexing)
{
    const RecordedFacts facts = timeline ? factsBelow(*timeline, trace.path) : RecordedFacts();
    json.beginObject();
    json.member("UUID", trace.uuid);
    json.member("name", trace.name);
    json.member("path", trace.path.string());
    json.member("start", nanoseconds(facts.range.begin));
    json.member("end", nanoseconds(facts.range.end));
    json.member("nbEvents", facts.events);
    json.member("indexingStatus", !timeline ? "CLOSED" : facts.isComplete || !isIndexing ? "COMPLETED" : "RUNNING");
    json.key("properties").beginObject();
    for (const auto& [name, value] : trace.properties)
        json.member(name, value);
    if (const std::string problems = timeline && !isIndexing ? problemsOf(*timeline) : std::string(); !problems.empty())
        json.member("warnings", problems);
    json.endObject();
    json.endObject();
}

void writeExperiment(JsonWriter& json, const ServedExperiment& experiment, bool isClosed = false)
{
    const auto timeline = experiment.timeline();
    const bool isIndexing = experiment.isIndexing();
    std::uint64_t events = 0;
    for (const TimelineTrace& trace : timeline->traces)
        events += trace.facts ? trace.facts->summary().events : 0;
    json.beginObject();
    json.member("UUID", experiment.uuid());
    json.member("name", experiment.name());
    json.member("start", nanoseconds(timeline->range.begin));
    json.member("end", nanoseconds(timeline->range.end));
    json.member("nbEvents", events);
    json.member("indexingStatus", isClosed ? "CLOSED" : isIndexing ? "RUNNING" : "COMPLETED");
    json.key("traces").beginArray();
    for (const auto& trace : experiment.traces())
        writeTrace(json, *trace, isClosed ? nullptr : timeline.get(), isIndexing);
    json.endArray();
    json.endObject();
}

void writeOutput(JsonWriter& json, const ServedOutput& output, const Timeline& timeline)
{
    json.beginObject();
    json.member("id", output.id);
    json.member("name", output.name);
    json.member("description", output.description);
    json.member("type", wordOf(output.type));
    json.member("start", nanoseconds(timeline.range.begin));
    json.member("end", nanoseconds(timeline.range.end));
    json.endObject();
}

HttpResponse health()
{
    return makeJsonResponse([](JsonWriter& json) {
        json.beginObject();
        json.member("status", "UP");
        json.endObject();
    });
}

HttpResponse identifier()
{
    utsname system{};
    ::uname(&system);
    const auto memory = std::uint64_t(std::max(0L, ::sysconf(_SC_PHYS_PAGES))) * std::uint64_t(std::max(0L, ::sysconf(_SC_PAGESIZE)));
    return makeJsonResponse([&](JsonWriter& json) {
        json.beginObject();
        json.member("version", version());
        json.member("tspVersion", ProtocolVersion);
        json.member("os", static_cast<const char*>(system.sysname));
        json.member("osArch", static_cast<const char*>(system.machine));
        json.member("osVersion", static_cast<const char*>(system.release));
        json.member("cpuCount", std::uint32_t(std::thread::hardware_concurrency()));
        json.member("maxMemory", memory);
        json.member("launcherName", "heliograph");
        json.member("productId", "heliograph");
        json.endObject();
    });
}

/// True if a store was damaged when a query read it, so that data is missing in the result.
bool isDamaged(const Timeline& timeline)
{
    bool isAny = std::ranges::any_of(timeline.traces, [](const TimelineTrace& trace) { return trace.facts && trace.facts->isDamaged(); });
    forEachStore(timeline, [&](StoreIndex, const Store& store, const TimelineTrace&) { isAny = isAny || store.isDamaged(); });
    return isAny;
}

/// Returns the response to a request for the contents of an output. The traces may still be indexed.
HttpResponse modelResponse(const ServedExperiment& experiment, const Timeline& timeline, const std::stop_token& stop,
                           const std::function<Status(ModelText&, std::string& note)>& write)
{
    ModelText model;
    std::string note;
    if (const Status written = write(model, note); !written && !(stop.stop_requested() && written.error().kind == Error::Kind::Cancelled))
        return failedResponse(written.error());
    const bool isCancelled = stop.stop_requested();
    const bool isRunning = !timeline.isComplete && experiment.isIndexing();
    const std::string problem = isDamaged(timeline)
        ? "the index was damaged, so the response is incomplete; close the experiment and open it again"
        : timeline.isComplete || isRunning ? std::string()
                                           : experiment.problem();
    return makeJsonResponse([&](JsonWriter& json) {
        json.beginObject();
        json.key("model");
        if (isCancelled)
            json.null();
        else
            json.written(model.text());
        json.member("status", isCancelled ? "CANCELLED" : isRunning ? "RUNNING" : !problem.empty() ? "FAILED" : "COMPLETED");
        json.member("statusMessage",
                    isCancelled            ? "the request took too long and was cancelled"
                        : isRunning        ? "the traces are being indexed"
                        : !problem.empty() ? problem
                        : !note.empty()    ? note
                                           : "completed");
        json.endObject();
    });
}

HttpResponse problemResponse(const ServedProblem& problem, const std::function<void(JsonWriter&)>& writeExisting)
{
    return makeJsonResponse(
        [&](JsonWriter& json) {
            json.beginObject();
            json.member("title", problem.what);
            if (!problem.existing.empty())
                writeExisting(json);
            json.endObject();
        },
        problem.status);
}

std::optional<std::int64_t> integerOf(const std::string* text)
{
    std::int64_t number = 0;
    if (!text)
        return {};
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
    return error == std::errc() && end == text->data() + text->size() ? std::optional(number) : std::nullopt;
}

/// Reads a token from a file; blanks around it do not count.
Result<std::string> readToken(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    std::string token(MostTokenBytes + 1, '\0');
    file.read(token.data(), static_cast<std::streamsize>(token.size()));
    if (!file.is_open() || file.bad())
        return Error{Error::Kind::Unreadable, "--token: cannot read " + path.string()};
    token.resize(static_cast<std::size_t>(file.gcount()));
    const auto isBlank = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
    token.erase(std::ranges::find_if_not(token.rbegin(), token.rend(), isBlank).base(), token.end());
    token.erase(token.begin(), std::ranges::find_if_not(token, isBlank));
    const bool isPrintable = std::ranges::all_of(token, [](char c) { return c > ' ' && c < 0x7f; });
    if (token.size() < LeastTokenBytes || token.size() > MostTokenBytes || !isPrintable)
        return Error{Error::Kind::Usage,
                     "--token: " + path.string()
                         + " must contain 16 to 4096 printable characters without blanks, e.g. of `openssl rand -hex 32`"};
    return token;
}

/// Opens traces like the other commands do.
Result<std::unique_ptr<Experiment>> openTraces(const ReadingOptions& reading, const std::vector<fs::path>& paths, std::stop_token stop)
{
    ExperimentOptions how = reading.experiment;
    if (const Status chosen = chooseAnalyses(paths, reading, {}, how); !chosen)
        return chosen.error();
    return Experiment::open(paths, std::move(how), std::move(stop));
}

} // namespace

HttpResponse TraceServer::answer(const HttpRequest& request, const std::stop_token& stop)
{
    Path path(request.path);
    if (path.size() > 1 && path.back().empty()) // A slash at the end.
        path = path.first(path.size() - 1);
    if (path.size() < 3 || path[0] != "tsp" || path[1] != "api")
        return makeErrorResponse(404, "the paths of the server begin with /tsp/api");
    const std::string& room = path[2];
    const Path rest = path.subspan(3);
    if ((room == "health" || room == "identifier") && rest.empty())
        return request.method != "GET" ? notAllowed("GET") : room == "health" ? health() : identifier();
    if (room == "traces")
        return answerTraces(request, rest, stop);
    if (room == "experiments")
        return answerExperiments(request, rest, stop);
    if (room == "config" && rest.size() == 1 && rest[0] == "types") // There is nothing to configure.
        return request.method == "GET" ? makeJsonResponse([](JsonWriter& json) { json.written("[]"); }) : notAllowed("GET");
    return notFound();
}

HttpResponse TraceServer::answerTraces(const HttpRequest& request, Path path, const std::stop_token& stop)
{
    const auto respond = [&](const ServedTraces::TracePtr& trace) {
        return makeJsonResponse([&](JsonWriter& json) { writeTrace(json, *trace, nullptr, false); });
    };
    const auto respondOrFail = [&](const std::variant<ServedTraces::TracePtr, ServedProblem>& outcome) {
        if (const auto* trace = std::get_if<ServedTraces::TracePtr>(&outcome))
            return respond(*trace);
        const auto& problem = std::get<ServedProblem>(outcome);
        return problemResponse(problem, [&](JsonWriter& json) {
            if (const auto existing = m_traces.findTrace(problem.existing)) {
                json.key("trace");
                writeTrace(json, *existing, nullptr, false);
            }
        });
    };
    if (path.empty() && request.method == "GET")
        return makeJsonResponse([&](JsonWriter& json) {
            json.beginArray();
            for (const auto& trace : m_traces.traces())
                writeTrace(json, *trace, nullptr, false);
            json.endArray();
        });
    if (path.empty() && request.method == "POST") {
        const auto parameters = readParameters(request.body);
        if (!parameters)
            return failedResponse(parameters.error());
        if (parameters->uri.empty())
            return makeErrorResponse(400, "\"uri\" is missing: the path of the trace on the server");
        return respondOrFail(m_traces.addTrace(parameters->uri, parameters->name, stop));
    }
    if (path.empty())
        return notAllowed("GET, POST");
    if (path.size() > 1)
        return notFound();
    if (request.method == "DELETE") // The file stays; parameters that ask for its removal have no effect.
        return respondOrFail(m_traces.removeTrace(path[0]));
    if (request.method != "GET")
        return notAllowed("GET, DELETE");
    const auto trace = m_traces.findTrace(path[0]);
    return trace ? respond(trace) : makeErrorResponse(404, "there is no trace with this UUID");
}

HttpResponse TraceServer::answerExperiments(const HttpRequest& request, Path path, const std::stop_token& stop)
{
    const auto respondOrFail = [&](const std::variant<ServedTraces::ExperimentPtr, ServedProblem>& outcome, bool isClosed) {
        if (const auto* experiment = std::get_if<ServedTraces::ExperimentPtr>(&outcome))
            return makeJsonResponse([&](JsonWriter& json) { writeExperiment(json, **experiment, isClosed); });
        const auto& problem = std::get<ServedProblem>(outcome);
        return problemResponse(problem, [&](JsonWriter& json) {
            if (const auto existing = m_traces.findExperiment(problem.existing)) {
                json.key("experiment");
                writeExperiment(json, *existing);
            }
        });
    };
    if (path.empty() && request.method == "GET")
        return makeJsonResponse([&](JsonWriter& json) {
            json.beginArray();
            for (const auto& experiment : m_traces.experiments())
                writeExperiment(json, *experiment);
            json.endArray();
        });
    if (path.empty() && request.method == "POST") {
        const auto parameters = readParameters(request.body);
        if (!parameters)
            return failedResponse(parameters.error());
        if (parameters->name.empty() || !parameters->traces || parameters->traces->empty())
            return makeErrorResponse(400, "\"name\" or \"traces\" is missing");
        return respondOrFail(m_traces.addExperiment(parameters->name, *parameters->traces, stop), false);
    }
    if (path.empty())
        return notAllowed("GET, POST");
    const auto experiment = m_traces.findExperiment(path[0]);
    if (!experiment)
        return makeErrorResponse(404, "there is no experiment with this UUID");
    if (path.size() > 1)
        return path[1] == "outputs" ? answerOutputs(request, path.subspan(2), *experiment, stop) : notFound();
    if (request.method == "DELETE")
        return respondOrFail(m_traces.removeExperiment(path[0]), true);
    if (request.method != "GET")
        return notAllowed("GET, DELETE");
    return makeJsonResponse([&](JsonWriter& json) { writeExperiment(json, *experiment); });
}

HttpResponse TraceServer::answerOutputs(const HttpRequest& request, Path path, ServedExperiment& experiment, const std::stop_token& stop)
{
    const auto timeline = experiment.timelineOf({}, stop);
    if (!timeline)
        return failedResponse(timeline.error());
    if (path.empty() || path[0] == "markerSets") {
        if (request.method != "GET")
            return notAllowed("GET");
        if (!path.empty())
            return modelResponse(experiment, **timeline, stop, [](ModelText& model, std::string&) -> Status {
                model.json().beginArray();
                model.json().endArray();
                return Done{};
            });
        return makeJsonResponse([&](JsonWriter& json) {
            json.beginArray();
            for (const ServedOutput& output : outputsOf(**timeline))
                writeOutput(json, output, **timeline);
            json.endArray();
        });
    }
    // Paths are OUTPUT, OUTPUT/ACTION or KIND/OUTPUT/ACTION.
    const bool hasKind = path.size() == 3;
    const std::string& id = path[hasKind ? 1 : 0];
    const auto output = path.size() > 3 ? std::nullopt : findOutput(**timeline, id);
    if (!output)
        return makeErrorResponse(404, "there is no output with this id");
    if (path.size() == 1)
        return request.method == "GET" ? makeJsonResponse([&](JsonWriter& json) { writeOutput(json, *output, **timeline); })
                                       : notAllowed("GET");
    if (hasKind) {
        const std::string_view kind = output->type == OutputType::TimeGraph ? "timeGraph"
            : output->type == OutputType::Chart                             ? "XY"
            : output->type == OutputType::Table                             ? "table"
                                                                            : "data";
        if (path[0] != kind)
            return makeErrorResponse(404, "the output \"" + id + "\" has the type " + std::string(wordOf(output->type)));
    }
    const auto parameters = readParameters(request.method == "POST" ? request.body : std::string());
    if (!parameters)
        return failedResponse(parameters.error());
    OutputRequest asked{experiment, *timeline, output->id, output->view, *parameters, stop};
    return answerOutput(request, hasKind ? path[0] : std::string(), path.back(), asked);
}

HttpResponse TraceServer::answerOutput(const HttpRequest& request, const std::string& kind, const std::string& action, OutputRequest& asked)
{
    const auto respond = [&](const std::function<Status(ModelText&, std::string&)>& write) {
        return modelResponse(asked.experiment, *asked.timeline, asked.stop, write);
    };
    const auto respondTo = [&](const std::function<Status(ModelText&)>& write) {
        return respond([&](ModelText& model, std::string&) { return write(model); });
    };
    const bool isPost = request.method == "POST";
    if (kind.empty() && action == "configTypes")
        return request.method == "GET" ? makeJsonResponse([](JsonWriter& json) { json.written("[]"); }) : notAllowed("GET");
    if (kind.empty() && action == "annotations") {
        if (!isPost && request.method != "GET")
            return notAllowed("GET, POST");
        return respondTo([&](ModelText& model) { return isPost ? writeAnnotations(model, asked) : writeCategories(model, asked); });
    }
    if (kind == "XY" && action == "tooltip") {
        const auto at = integerOf(request.parameter("xValue"));
        const auto series = integerOf(request.parameter("seriesId"));
        if (request.method != "GET")
            return notAllowed("GET");
        if (!at || (request.parameter("seriesId") && !series))
            return makeErrorResponse(400, "\"xValue\" must be a time in ns, and \"seriesId\" the id of a series");
        return respondTo([&](ModelText& model) { return writeCurveTooltip(model, asked, timestamp(*at), series); });
    }
    using Write = std::function<Status(ModelText&, std::string&)>;
    const auto without = [](Status (*write)(ModelText&, const OutputRequest&), const OutputRequest& of) -> Write {
        return [write, &of](ModelText& model, std::string&) { return write(model, of); };
    };
    Write write;
    if (kind.empty() && action == "style")
        write = [&](ModelText& model, std::string&) { return writeStyles(model, asked, m_styles); };
    else if (kind == "timeGraph" && action == "tree")
        write = without(writeRows, asked);
    else if (kind == "timeGraph" && action == "states")
        write = [&](ModelText& model, std::string&) { return writeStates(model, asked, m_styles); };
    else if (kind == "timeGraph" && action == "arrows")
        write = [&](ModelText& model, std::string& note) { return writeArrows(model, asked, m_styles, note); };
    else if (kind == "timeGraph" && action == "tooltip")
        write = without(writeTooltip, asked);
    else if (kind == "XY" && action == "tree")
        write = without(writeCurveTree, asked);
    else if (kind == "XY" && action == "xy")
        write = without(writeCurves, asked);
    else if (kind == "table" && action == "columns")
        write = without(writeColumns, asked);
    else if (kind == "table" && action == "lines")
        write = without(writeLines, asked);
    else if (kind == "data" && action == "tree")
        write = without(asked.view.empty() ? writeEventCounts : writeStateTimes, asked);
    if (!write)
        return notFound();
    return isPost ? respond(write) : notAllowed("POST");
}

Status serveTraces(const TraceServerOptions& options)
{
    const auto address = parseListenAddress(options.address);
    if (!address)
        return Error{Error::Kind::Usage, "--listen: " + address.error().what};
    for (const std::string& origin : options.origins)
        if (const Status checked = AccessRules::checkOrigin(origin); !checked)
            return Error{Error::Kind::Usage, "--allow-origin: " + checked.error().what};
    auto token = options.tokenFile.empty() ? Result<std::string>(std::string()) : readToken(options.tokenFile);
    if (!token)
        return token.error();
    auto folders = ServedFolders::make(options.folders.empty() ? std::vector<fs::path>{"."} : options.folders);
    if (!folders)
        return Error{Error::Kind::Usage, "--root: " + folders.error().what};
    HttpLimits limits;
    limits.runningRequests = std::max(4u, 2 * std::thread::hardware_concurrency());
    auto listening = HttpServer::listen(*address, limits);
    if (!listening)
        return Error{listening.error().kind, "--listen: " + listening.error().what};
    HttpServer& http = **listening;
    if (!http.isLoopback() && token->empty())
        return Error{
            Error::Kind::Usage,
            "--listen: " + options.address
                + " can be reached from other machines, so --token FILE is needed; without one, listen on 127.0.0.1 and use an SSH tunnel"};
    std::signal(SIGPIPE, SIG_IGN); // A client that ended is noticed by the failed write.
    Interrupts interrupts(Interrupts::Kind::First);
    const AccessRules access(std::move(*token), http.address(), http.isLoopback(), options.origins);
    TraceServer server(std::move(*folders), [&options](const std::vector<fs::path>& paths, std::stop_token stop) {
        return openTraces(options.reading, paths, std::move(stop));
    });
    {
        Output output;
        output.write("Listening on http://" + http.address() + "/tsp/api\n");
        if (output.hasFailed())
            return Error{Error::Kind::Unreadable, output.problem()};
    }
    return http.run({[&](const HttpRequest& request) { return access.check(request); },
                     [&](const HttpRequest& request, std::stop_token stop) { return server.answer(request, stop); },
                     [&](const HttpRequest& request, HttpResponse& response) { access.complete(request, response); }},
                    interrupts.descriptor());
}

} // namespace helio
