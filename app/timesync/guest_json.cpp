#include "app/timesync/guest_json.h"

#include <QJsonObject>

#include <cstdint>
#include <limits>
#include <optional>
#include <set>

namespace helio {

namespace {

Error wrong(const std::string& guest, const std::string& what) { return {Error::Kind::Corrupt, "guest \"" + guest + "\": " + what}; }

/// Reads an id of a process, thread or CPU; nullopt if negative or too large.
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
        return wrong(name, "\"process\" is no process (a pid of \"host\")");
    given.process = *process;
    if (json.contains("vcpus") && !json["vcpus"].isArray())
        return wrong(name, "\"vcpus\" is no list");
    std::set<std::int32_t> threads;
    for (const QJsonValue& it : json["vcpus"].toArray()) {
        const auto vcpu = idFrom(it["vcpu"]);
        const auto tid = idFrom(it["tid"]);
        if (!vcpu || !tid)
            return wrong(name, "one of \"vcpus\" has no \"vcpu\" and \"tid\" that are numbers");
        if (!given.vcpus.try_emplace(*vcpu, *tid).second)
            return wrong(name, "vCPU " + std::to_string(*vcpu) + " is there twice");
        if (!threads.insert(*tid).second)
            return wrong(name, "thread " + std::to_string(*tid) + " is there twice");
    }
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
            return Error{Error::Kind::Corrupt, "one of \"guests\" has no name (\"guest\")"};
        if (guests.contains(name))
            return Error{Error::Kind::Corrupt, "guest \"" + name + "\" is there twice"};
        auto given = guestFrom(it.toObject(), name);
        if (!given)
            return given.error();
        guests[name] = std::move(*given);
    }
    return guests;
}

} // namespace helio
