#include "app/timesync/sync_file.h"

#include "app/timesync/clock_settings_json.h"
#include "core/base/json.h"
#include "core/timesync/host_clocks.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cerrno>
#include <cstring>
#include <map>
#include <set>
#include <simdjson.h>
#include <string_view>
#include <utility>
#include <vector>

namespace helio {
namespace {

namespace ondemand = simdjson::ondemand;

/// The members of a JSON object in the file that describes the clock of one host.
struct HostEntry {
    std::string host;
    std::string method;
    std::string quality;
    std::vector<std::string> path;
    std::optional<std::int64_t> matchesTo, matchesFrom, outliers, bound, driftError;
    std::optional<std::int64_t> at, is, offset, error;
    std::optional<std::int64_t> from; ///< Time at which a linear segment begins; only in entries of the list "pieces".
    std::optional<std::int64_t> gain;
    bool isRaw = false; ///< True if the host's times are used as recorded.
    bool isErrorUnknown = false; ///< True if `error_ns` is null.
    bool isBoundUnknown = false; ///< True if `bound_ns` is null.

    Duration errorOr(Duration otherwise) const { return error ? Duration(*error) : isErrorUnknown ? Duration::max() : otherwise; }
};

constexpr std::int64_t Farthest = std::int64_t(1) << 61; ///< Limit of times: 73 years in ns, so that sums of times do not overflow.

Result<ClockLine> lineOf(const HostEntry& entry)
{
    if (entry.at && entry.is)
        return ClockLine{hostTime(*entry.at), timestamp(*entry.is), entry.gain.value_or(0)};
    if (entry.offset)
        return ClockLine{hostTime(0), timestamp(*entry.offset), entry.gain.value_or(0)};
    return Error{Error::Kind::Corrupt, "host \"" + entry.host + "\": offset_ns (or at_ns and is_ns) is missing"};
}

Error wrong(std::string_view key, const char* what) { return {Error::Kind::Corrupt, "\"" + std::string(key) + "\" must be " + what}; }

Status readPath(ondemand::field& field, std::vector<std::string>& path)
{
    ondemand::array hosts;
    if (field.value().get_array().get(hosts))
        return wrong("path", "a list of hosts");
    for (auto host : hosts) {
        std::string_view name;
        if (host.get_string().get(name))
            return wrong("path", "a list of hosts");
        path.emplace_back(name);
    }
    return Done{};
}

Status readMember(ondemand::field& field, HostEntry& entry)
{
    std::string_view key;
    if (field.unescaped_key().get(key))
        return Error{Error::Kind::Corrupt, "a member has no name"};
    const auto text = [&](std::string& to) -> Status {
        std::string_view found;
        if (field.value().get_string().get(found))
            return wrong(key, "text");
        to = found;
        return Done{};
    };
    const auto number = [&](std::optional<std::int64_t>& to) -> Status {
        std::int64_t found = 0;
        if (bool isNull = false; !field.value().is_null().get(isNull) && isNull)
            return Done{};
        if (field.value().get_int64().get(found))
            return wrong(key, "a whole number");
        if (found < -Farthest || found > Farthest)
            return wrong(key, "a time of at most 73 years (2^61 ns)");
        to = found;
        return Done{};
    };
    const auto count = [&](std::optional<std::int64_t>& to) -> Status {
        if (const Status done = number(to); !done)
            return done;
        return to && *to < 0 ? Status(Error{Error::Kind::Corrupt, "\"" + std::string(key) + "\" is negative"}) : Status(Done{});
    };
    const auto error = [&]() -> Status {
        if (const Status done = number(entry.error); !done)
            return done;
        entry.isErrorUnknown = !entry.error;
        if (entry.error && *entry.error < 0)
            return Error{Error::Kind::Corrupt, "\"error_ns\" is negative"};
        return Done{};
    };
    if (key == "host")
        return text(entry.host);
    if (key == "method")
        return text(entry.method);
    if (key == "quality")
        return text(entry.quality);
    if (key == "path")
        return readPath(field, entry.path);
    if (key == "bound_ns") {
        const Status done = count(entry.bound);
        entry.isBoundUnknown = done && !entry.bound;
        return done;
    }
    for (const auto& [name, to] : {std::pair{"matches_to", &entry.matchesTo}, std::pair{"matches_from", &entry.matchesFrom},
                                   std::pair{"outliers", &entry.outliers}, std::pair{"drift_error_ppt", &entry.driftError}})
        if (key == name)
            return count(*to);
    if (key == "at_ns")
        return number(entry.at);
    if (key == "is_ns")
        return number(entry.is);
    if (key == "from_ns")
        return number(entry.from);
    if (key == "offset_ns")
        return number(entry.offset);
    if (key == "error_ns")
        return error();
    if (key == "raw")
        return field.value().get_bool().get(entry.isRaw) ? wrong(key, "true or false") : Status(Done{});
    if (key == "rate") {
        std::string_view digits = field.value().raw_json_token();
        digits = digits.substr(0, digits.find_last_not_of(" \t\r\n") + 1);
        entry.gain = parseRate(digits);
        return entry.gain ? Status(Done{}) : wrong(key, "a clock rate");
    }
    return Done{};
}

Result<HostEntry> readHost(ondemand::object host)
{
    HostEntry entry;
    for (auto&& member : host) {
        ondemand::field field;
        if (std::move(member).get(field))
            return Error{Error::Kind::Corrupt, "invalid JSON"};
        if (const Status done = readMember(field, entry); !done)
            return done.error();
    }
    if (entry.host.empty())
        return Error{Error::Kind::Corrupt, "a host has no name (\"host\")"};
    return entry;
}

/// Returns how the clock was determined before the file was written; nullopt if the user set it or the file does not say.
std::optional<ClockOrigin> originOf(const HostEntry& entry)
{
    ClockOrigin origin;
    origin.method = methodOf(entry.method);
    if (origin.method == ClockMethod::Manual)
        return {};
    origin.quality = qualityOf(entry.quality);
    origin.bound = entry.bound ? Duration(*entry.bound) : entry.isBoundUnknown ? Duration::max() : entry.errorOr(Duration::max());
    origin.driftError = entry.driftError.value_or(0) <= MaxDriftError ? entry.driftError : std::nullopt;
    origin.arrivals = std::size_t(entry.matchesTo.value_or(0));
    origin.departures = std::size_t(entry.matchesFrom.value_or(0));
    origin.outliers = std::size_t(entry.outliers.value_or(0));
    origin.path = entry.path;
    return origin;
}

Status addHost(const HostEntry& entry, ClockSettings& choice)
{
    // True if the file says that the messages of this host contradict each other. Such an entry has no clock.
    const bool isFailed = entry.quality == wordOf(FitQuality::Failed);
    // True if the entry's clock refers to a host whose clock is not related to the reference.
    const bool isElsewhere =
        !entry.path.empty() && entry.path.front() != choice.reference && !entry.isRaw && entry.method != wordOf(ClockMethod::Manual);
    if (entry.method == "none" || entry.method == "reference" || isFailed || isElsewhere || entry.host == choice.reference)
        return Done{};
    if (entry.isRaw) {
        choice.hosts[entry.host] = {};
        return Done{};
    }
    const auto line = lineOf(entry);
    if (!line)
        return line.error();
    choice.hosts[entry.host] = {*line, entry.errorOr(Duration::max()), {}, false, originOf(entry)};
    return Done{};
}

/// Points of the hosts' clocks, by host: from the file's "points", and from its "pieces".
struct HostPoints {
    std::map<std::string, std::vector<ClockPoint>> points;
    /// Points from "pieces": the beginning of each entry, and a point on the line of the last entry.
    std::map<std::string, std::vector<ClockPoint>> lineEnds;
};

Status addPoint(const HostEntry& entry, HostPoints& all)
{
    if (!entry.at || !entry.is)
        return Error{Error::Kind::Corrupt, "a point of host \"" + entry.host + "\" lacks at_ns or is_ns"};
    all.points[entry.host].push_back({hostTime(*entry.at), timestamp(*entry.is), entry.errorOr(Duration::max())});
    return Done{};
}

/// Adds an entry of "pieces" as two points on its line: at the entry's beginning, and one hour later. The point one hour later gives the
/// slope of the last entry; if another entry follows, the point is removed, because the following entry begins a new line.
Status addLineEnd(const HostEntry& entry, HostPoints& all)
{
    constexpr Duration Length = std::chrono::hours(1);
    if (!entry.from)
        return Error{Error::Kind::Corrupt, "a piece of host \"" + entry.host + "\" has no from_ns"};
    const auto line = lineOf(entry);
    if (!line)
        return line.error();
    const HostTimestamp from = hostTime(*entry.from);
    std::vector<ClockPoint>& points = all.lineEnds[entry.host];
    if (!points.empty())
        points.pop_back();
    const Duration error = entry.errorOr(Duration::max());
    points.push_back({from, (*line)(from), error});
    points.push_back({from + Length, (*line)(from + Length), error});
    return Done{};
}

Status readEntries(ondemand::document& document, const char* name, Status (*add)(const HostEntry&, HostPoints&), HostPoints& all)
{
    document.rewind();
    ondemand::array places;
    if (document[name].get_array().get(places))
        return Done{}; // The document has no list with this name, so there is nothing to read.
    for (auto element : places) {
        ondemand::object object;
        if (element.get_object().get(object))
            return wrong(name, "a list of objects");
        const auto entry = readHost(object);
        if (!entry)
            return entry.error();
        if (const Status done = add(*entry, all); !done)
            return done;
    }
    return Done{};
}

/// Sets the points of the clocks in `choice`, from "points" if the file has points for the host, else from "pieces".
Status takePoints(const HostPoints& all, ClockSettings& choice)
{
    for (auto& [host, given] : choice.hosts) {
        if (!given.line)
            continue; // Skip hosts whose times are used as recorded: their clocks have no points.
        const auto points = all.points.find(host);
        const auto found = all.lineEnds.find(host);
        given.isBent = found != all.lineEnds.end();
        if (points != all.points.end())
            given.points = points->second;
        else if (given.isBent)
            given.points = found->second;
        if (given.points.empty())
            continue;
        if (const auto clock = ClockTransform::through(given.points); !clock)
            return Error{Error::Kind::Corrupt, "host \"" + host + "\": " + clock.error().what};
    }
    return Done{};
}

Result<ClockSettings> readDocument(ondemand::document& document)
{
    ClockSettings choice;
    std::string_view reference;
    if (!document["reference"].get_string().get(reference))
        choice.reference = reference;
    document.rewind();
    ondemand::array hosts;
    if (document["hosts"].get_array().get(hosts))
        return Error{Error::Kind::Corrupt, "there is no array \"hosts\""};
    std::set<std::string> names;
    for (auto element : hosts) {
        ondemand::object object;
        if (element.get_object().get(object))
            return Error{Error::Kind::Corrupt, "a host is not an object"};
        const auto entry = readHost(object);
        if (!entry)
            return entry.error();
        if (!names.insert(entry->host).second)
            return Error{Error::Kind::Corrupt, "host \"" + entry->host + "\" appears twice"};
        if (const Status done = addHost(*entry, choice); !done)
            return done.error();
    }
    HostPoints points;
    if (const Status done = readEntries(document, "points", addPoint, points); !done)
        return done.error();
    if (const Status done = readEntries(document, "pieces", addLineEnd, points); !done)
        return done.error();
    if (const Status done = takePoints(points, choice); !done)
        return done.error();
    return choice;
}

/// Parses the text completely to validate it, because the on-demand parser used afterwards would read beyond the end of invalid or
/// truncated text.
Result<QJsonObject> wholeJson(std::string_view text)
{
    QJsonParseError problem;
    const QJsonDocument whole = QJsonDocument::fromJson(QByteArray::fromRawData(text.data(), qsizetype(text.size())), &problem);
    if (problem.error == QJsonParseError::NoError)
        return whole.object();
    const bool isCut = std::size_t(problem.offset) >= text.find_last_not_of(" \t\r\n") + 1;
    const std::string what = isCut ? "unexpected end of text" : "invalid JSON";
    return Error{Error::Kind::Corrupt,
                 "byte " + std::to_string(problem.offset) + ": " + what + " (" + problem.errorString().toStdString() + ")"};
}

void writeNumber(JsonWriter& json, std::string_view name, std::int64_t number) { json.member(name, number); }

void writeError(JsonWriter& json, std::string_view name, Duration error)
{
    json.key(name);
    error > Duration(Farthest) ? json.null() : json.value(std::int64_t(error.count()));
}

void writeHost(JsonWriter& json, const Timeline& timeline, const HostClockFacts& clock)
{
    json.beginObject();
    json.member("host", clock.label);
    json.key("traces").beginArray();
    for (const std::uint32_t trace : clock.traces)
        json.value(trace);
    json.endArray();
    writeNumber(json, "offset_ns", clock.line.offsetAtZero());
    json.key("rate").written(clock.line.rate());
    writeNumber(json, "at_ns", nanoseconds(clock.line.at));
    writeNumber(json, "is_ns", nanoseconds(clock.line.is));
    writeError(json, "error_ns", clock.error);
    writeError(json, "bound_ns", clock.bound);
    clock.driftError ? writeNumber(json, "drift_error_ppt", *clock.driftError) : void(json.key("drift_error_ppt").null());
    if (clock.method == ClockMethod::Manual && clock.path.empty())
        json.member("raw", true);
    json.member("method", wordOf(clock.method));
    json.member("quality", wordOf(clock.quality));
    writeNumber(json, "matches", static_cast<std::int64_t>(clock.matches));
    writeNumber(json, "matches_to", static_cast<std::int64_t>(clock.matchesTo));
    writeNumber(json, "matches_from", static_cast<std::int64_t>(clock.matchesFrom));
    writeNumber(json, "outliers", static_cast<std::int64_t>(clock.outliers));
    json.key("path").beginArray();
    for (const std::uint32_t host : clock.path)
        json.value(timeline.hosts[host].label);
    json.endArray();
    json.endObject();
}

void writeIntervals(JsonWriter& json, const HostClockFacts& clock)
{
    for (const FitInterval& interval : clock.intervals) {
        json.beginObject();
        json.member("host", clock.label);
        writeNumber(json, "from_ns", nanoseconds(interval.from));
        writeNumber(json, "offset_ns", interval.line.offsetAtZero());
        json.key("rate").written(interval.line.rate());
        writeError(json, "error_ns", interval.error);
        json.endObject();
    }
}

/// Writes the points of a host's clock, from which times can be computed exactly.
void writePoints(JsonWriter& json, const Timeline& timeline, const HostClockFacts& clock)
{
    for (const ClockPoint& point : timeline.hosts[clock.host].clock.points()) {
        json.beginObject();
        json.member("host", clock.label);
        writeNumber(json, "at_ns", nanoseconds(point.host));
        writeNumber(json, "is_ns", nanoseconds(point.experiment));
        writeError(json, "error_ns", point.error);
        json.endObject();
    }
}

} // namespace

Result<ClockSettings> readSyncFile(const std::filesystem::path& file)
{
    const auto failed = [&](Error::Kind kind, const std::string& what) { return Error{kind, file.string() + ": " + what}; };
    errno = 0;
    auto text = simdjson::padded_string::load(file.string());
    if (text.error())
        return failed(Error::Kind::NotFound, std::string("cannot be read: ") + std::strerror(errno));
    const auto whole = wholeJson(std::string_view(text.value_unsafe()));
    if (!whole)
        return failed(whole.error().kind, whole.error().what);
    ondemand::parser parser;
    ondemand::document document;
    if (const auto error = parser.iterate(text.value_unsafe()).get(document))
        return failed(Error::Kind::Corrupt, simdjson::error_message(error));
    const bool isOfGuestsAlone = whole->contains("guests") && !whole->contains("hosts");
    auto choice = isOfGuestsAlone ? Result<ClockSettings>(ClockSettings{}) : readDocument(document);
    if (!choice)
        return failed(choice.error().kind, choice.error().what);
    const QJsonValue list = (*whole)["guests"];
    if (!list.isUndefined() && !list.isArray())
        return failed(Error::Kind::Corrupt, "\"guests\" is not a list");
    auto guests = guestsFrom(list.toArray());
    if (!guests)
        return failed(guests.error().kind, guests.error().what);
    choice->guests = std::move(*guests);
    return choice;
}

std::string syncDocument(const Timeline& timeline)
{
    std::string text;
    JsonWriter json(text);
    const std::vector<HostClockFacts> clocks = hostClocks(timeline);
    json.beginObject();
    json.member("reference", timeline.hosts[timeline.reference].label);
    json.key("hosts").beginArray();
    for (const HostClockFacts& clock : clocks)
        writeHost(json, timeline, clock);
    json.endArray();
    json.key("pieces").beginArray();
    for (const HostClockFacts& clock : clocks)
        writeIntervals(json, clock);
    json.endArray();
    json.key("points").beginArray();
    for (const HostClockFacts& clock : clocks)
        writePoints(json, timeline, clock);
    json.endArray();
    if (!timeline.clockSettings.guests.empty())
        json.key("guests").written(QJsonDocument(guestsJson(timeline.clockSettings)).toJson(QJsonDocument::Compact).toStdString());
    json.endObject();
    text += '\n';
    return text;
}

} // namespace helio
