#include "app/clocks/choice_json.h"

#include <QJsonArray>

#include <algorithm>

namespace helio {

namespace {

QString text(std::int64_t number) { return QString::number(number); }

/// Nothing: it is no number, or none that times are.
std::optional<std::int64_t> numberFrom(const QJsonValue& value)
{
    constexpr std::int64_t Farthest = std::int64_t(1) << 61; // 73 years: sums of such times do not overflow.
    bool isNumber = false;
    const qint64 number = value.toString().toLongLong(&isNumber);
    return isNumber && number >= -Farthest && number <= Farthest ? std::optional<std::int64_t>(number) : std::nullopt;
}

QJsonObject toJson(const std::string& host, const GivenClock& given)
{
    QJsonObject json{{"host", QString::fromStdString(host)}};
    if (!given.line) {
        json["raw"] = true;
        return json;
    }
    json["at_ns"] = text(nanoseconds(given.line->at));
    json["is_ns"] = text(nanoseconds(given.line->is));
    json["gain"] = text(given.line->gain);
    json["error_ns"] = text(given.error.count());
    return json;
}

std::optional<GivenClock> givenFrom(const QJsonObject& json)
{
    if (json["raw"].toBool())
        return GivenClock{};
    const auto at = numberFrom(json["at_ns"]);
    const auto is = numberFrom(json["is_ns"]);
    if (!at || !is)
        return {};
    constexpr std::int64_t MostGain = ClockLine::PerOne / 2; // As rates in other files: half the speed, or half as much again.
    const std::int64_t gain = std::clamp(numberFrom(json["gain"]).value_or(0), -MostGain, MostGain);
    const std::int64_t error = std::max<std::int64_t>(numberFrom(json["error_ns"]).value_or(0), 0);
    return GivenClock{ClockLine{hostTime(*at), timestamp(*is), gain}, Duration(error)};
}

} // namespace

QJsonObject choiceJson(const ClockChoice& choice)
{
    QJsonArray hosts;
    for (const auto& [host, given] : choice.hosts)
        hosts << toJson(host, given);
    return {{"reference", QString::fromStdString(choice.reference)}, {"hosts", hosts}};
}

ClockChoice choiceFrom(const QJsonObject& json)
{
    ClockChoice choice;
    choice.reference = json["reference"].toString().toStdString();
    for (const QJsonValue& host : json["hosts"].toArray()) {
        const std::string name = host["host"].toString().toStdString();
        if (const auto given = givenFrom(host.toObject()); given && !name.empty())
            choice.hosts[name] = *given;
    }
    return choice;
}

} // namespace helio
