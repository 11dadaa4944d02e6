#include "app/timesync/clock_settings_json.h"

#include "core/timesync/host_clocks.h"

#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace helio {

namespace {

Error wrong(const std::string& guest, const std::string& what) { return {Error::Kind::Corrupt, "guest \"" + guest + "\": " + what}; }

/// Reads the id of a process, thread or CPU; nullopt if it is negative or too large.
std::optional<std::int32_t> idFrom(const QJsonValue& value)
{
    const qint64 number = value.toInteger(-1);
    const bool isOne = number >= 0 && number <= std::numeric_limits<std::int32_t>::max();
    return isOne ? std::optional(std::int32_t(number)) : std::nullopt;
}

Result<GuestOverride> guestFrom(const QJsonObject& json, const std::string& name)
{
    GuestOverride given;
    given.host = json["host"].toString().toStdString();
    if (given.host.empty())
        return given;
    const auto process = idFrom(json["process"]);
    if (!process)
        return wrong(name, "\"process\" is not a process ID on \"host\"");
    given.process = *process;
    if (json.contains("vcpus") && !json["vcpus"].isArray())
        return wrong(name, "\"vcpus\" is not a list");
    std::set<std::int32_t> threads;
    for (const QJsonValue& it : json["vcpus"].toArray()) {
        const auto vcpu = idFrom(it["vcpu"]);
        const auto tid = idFrom(it["tid"]);
        if (!vcpu || !tid)
            return wrong(name, "an entry of \"vcpus\" lacks a numeric \"vcpu\" or \"tid\"");
        if (!given.vcpus.try_emplace(*vcpu, *tid).second)
            return wrong(name, "vCPU " + std::to_string(*vcpu) + " appears twice");
        if (!threads.insert(*tid).second)
            return wrong(name, "thread " + std::to_string(*tid) + " appears twice");
    }
    return given;
}

QString text(std::int64_t number) { return QString::number(number); }

/// Reads a time in ns; nullopt if the value is not a number or is out of range.
std::optional<std::int64_t> numberFrom(const QJsonValue& value)
{
    constexpr std::int64_t Farthest = std::int64_t(1) << 61; // Limit of times: 73 years in ns, so that sums of times do not overflow.
    bool isNumber = false;
    const qint64 number = value.toString().toLongLong(&isNumber);
    return isNumber && number >= -Farthest && number <= Farthest ? std::optional<std::int64_t>(number) : std::nullopt;
}

/// Reads an error bound; nullopt if it is missing or negative. The maximum duration means unknown.
std::optional<Duration> errorFrom(const QJsonValue& value)
{
    bool isNumber = false;
    const qint64 number = value.toString().toLongLong(&isNumber);
    return isNumber && number >= 0 ? std::optional(Duration(number)) : std::nullopt;
}

QJsonArray toJson(const std::vector<ClockPoint>& points)
{
    QJsonArray json;
    for (const ClockPoint& point : points)
        json << QJsonObject{{"at_ns", text(nanoseconds(point.host))},
                            {"is_ns", text(nanoseconds(point.experiment))},
                            {"error_ns", text(point.error.count())}};
    return json;
}

/// Returns the points of a clock. Empty if any point is invalid; the clock's line is then used instead.
std::vector<ClockPoint> pointsFrom(const QJsonArray& json)
{
    std::vector<ClockPoint> points;
    for (const QJsonValue& it : json) {
        const auto at = numberFrom(it["at_ns"]);
        const auto is = numberFrom(it["is_ns"]);
        if (!at || !is)
            return {};
        points.push_back({hostTime(*at), timestamp(*is), errorFrom(it["error_ns"]).value_or(Duration::max())});
    }
    return !points.empty() && ClockTransform::through(points) ? points : std::vector<ClockPoint>();
}

QString text(std::string_view word) { return QString::fromUtf8(word.data(), qsizetype(word.size())); }

QJsonObject toJson(const ClockOrigin& origin)
{
    QJsonArray path;
    for (const std::string& host : origin.path)
        path << text(host);
    QJsonObject json{{"method", text(wordOf(origin.method))},
                     {"quality", text(wordOf(origin.quality))},
                     {"bound_ns", text(origin.bound.count())},
                     {"matches_to", text(std::int64_t(origin.arrivals))},
                     {"matches_from", text(std::int64_t(origin.departures))},
                     {"outliers", text(std::int64_t(origin.outliers))},
                     {"path", path}};
    if (origin.driftError)
        json["drift_error_ppt"] = text(*origin.driftError);
    return json;
}

QJsonObject toJson(const std::string& host, const ClockOverride& given)
{
    QJsonObject json{{"host", QString::fromStdString(host)}};
    if (!given.line) {
        json["raw"] = true;
        return json;
    }
    json["at_ns"] = text(nanoseconds(given.line->at));
    json["is_ns"] = text(nanoseconds(given.line->is));
    json["gain"] = text(given.line->gain);
    if (given.error != Duration::max())
        json["error_ns"] = text(given.error.count());
    if (!given.points.empty())
        json["points"] = toJson(given.points);
    if (given.isBent)
        json["bent"] = true;
    if (given.origin)
        json["found"] = toJson(*given.origin);
    return json;
}

std::optional<ClockOrigin> originFrom(const QJsonObject& json)
{
    if (json.isEmpty())
        return {};
    const auto count = [&](const char* name) {
        return std::size_t(std::max<std::int64_t>(0, numberFrom(json[QLatin1String(name)]).value_or(0)));
    };
    ClockOrigin origin;
    origin.method = methodOf(json["method"].toString().toStdString());
    origin.quality = qualityOf(json["quality"].toString().toStdString());
    origin.bound = errorFrom(json["bound_ns"]).value_or(Duration::max());
    const auto drift = numberFrom(json["drift_error_ppt"]);
    origin.driftError = drift && *drift >= 0 && *drift <= MaxDriftError ? drift : std::nullopt;
    origin.arrivals = count("matches_to");
    origin.departures = count("matches_from");
    origin.outliers = count("outliers");
    for (const QJsonValue& host : json["path"].toArray())
        origin.path.push_back(host.toString().toStdString());
    return origin;
}

std::optional<ClockOverride> givenFrom(const QJsonObject& json)
{
    if (json["raw"].toBool())
        return ClockOverride{};
    const auto at = numberFrom(json["at_ns"]);
    const auto is = numberFrom(json["is_ns"]);
    if (!at || !is)
        return {};
    // Rates are between 0.5 and 2, as in --sync files (parseRate()).
    const std::int64_t gain = std::clamp(numberFrom(json["gain"]).value_or(0), -ClockLine::PerOne / 2, ClockLine::PerOne);
    ClockOverride given{ClockLine{hostTime(*at), timestamp(*is), gain}, errorFrom(json["error_ns"]).value_or(Duration::max())};
    given.origin = originFrom(json["found"].toObject());
    if (given.origin && given.origin->quality == FitQuality::Failed)
        return {};
    // An error bound of 0 in a file without an origin of the clock means that the bound is unknown: earlier versions of the program wrote 0
    // if the user gave no bound.
    if (given.error == Duration{} && !given.origin)
        given.error = Duration::max();
    given.points = pointsFrom(json["points"].toArray());
    given.isBent = !given.points.empty() && json["bent"].toBool();
    return given;
}

} // namespace

QJsonArray guestsJson(const ClockSettings& choice)
{
    QJsonArray json;
    for (const auto& [name, given] : choice.guests) {
        QJsonArray vcpus;
        for (const auto& [vcpu, tid] : given.vcpus)
            vcpus << QJsonObject{{"vcpu", vcpu}, {"tid", tid}};
        json << QJsonObject{{"guest", QString::fromStdString(name)},
                            {"host", QString::fromStdString(given.host)},
                            {"process", given.process},
                            {"vcpus", vcpus}};
    }
    return json;
}

Result<std::map<std::string, GuestOverride>> guestsFrom(const QJsonArray& json)
{
    std::map<std::string, GuestOverride> guests;
    for (const QJsonValue& it : json) {
        const std::string name = it["guest"].toString().toStdString();
        if (name.empty())
            return Error{Error::Kind::Corrupt, "an entry of \"guests\" has no name (\"guest\")"};
        if (guests.contains(name))
            return Error{Error::Kind::Corrupt, "guest \"" + name + "\" appears twice"};
        auto given = guestFrom(it.toObject(), name);
        if (!given)
            return given.error();
        guests[name] = std::move(*given);
    }
    return guests;
}

QJsonObject clockSettingsJson(const ClockSettings& choice)
{
    QJsonArray hosts;
    for (const auto& [host, given] : choice.hosts)
        hosts << toJson(host, given);
    return {{"reference", QString::fromStdString(choice.reference)}, {"hosts", hosts}, {"guests", guestsJson(choice)}};
}

ClockSettings clockSettingsFrom(const QJsonObject& json)
{
    ClockSettings choice;
    choice.reference = json["reference"].toString().toStdString();
    for (const QJsonValue& host : json["hosts"].toArray()) {
        const std::string name = host["host"].toString().toStdString();
        if (const auto given = givenFrom(host.toObject()); given && !name.empty())
            choice.hosts[name] = *given;
    }
    for (const QJsonValue& guest : json["guests"].toArray())
        if (auto one = guestsFrom({guest}))
            choice.guests.merge(*one);
    return choice;
}

} // namespace helio
