#include "app/gui/common/host_styles_json.h"

#include <QJsonArray>

#include <algorithm>

namespace helio {

namespace {

constexpr qsizetype MostHosts = 4'096; ///< Limit for hosts in a file.
constexpr qsizetype LongestName = 200;
constexpr int MostColor = 19;

QJsonObject toJson(const std::string& host, const HostStyle& look)
{
    QJsonObject json{{"host", QString::fromStdString(host)}};
    if (!look.name.empty())
        json["name"] = QString::fromStdString(look.name);
    if (look.color >= 0)
        json["color"] = look.color;
    return json;
}

HostStyle lookFrom(const QJsonObject& json)
{
    HostStyle look;
    look.name = json["name"].toString().simplified().left(LongestName).toStdString();
    look.color = json["color"].toInt(-1);
    if (look.color < 0 || look.color > MostColor)
        look.color = -1;
    return look;
}

} // namespace

QJsonObject hostStylesJson(const HostStyles& looks)
{
    QJsonArray hosts;
    for (const auto& [host, look] : looks.hosts)
        hosts.append(toJson(host, look));
    QJsonArray order;
    for (const std::string& host : looks.order)
        order.append(QString::fromStdString(host));
    return {{"looks", hosts}, {"order", order}};
}

HostStyles hostStylesFrom(const QJsonObject& json)
{
    HostStyles looks;
    const QJsonArray hosts = json["looks"].toArray();
    for (qsizetype i = 0; i < std::min(hosts.size(), MostHosts); ++i) {
        const QString host = hosts[i].toObject()["host"].toString();
        const HostStyle look = lookFrom(hosts[i].toObject());
        if (!host.isEmpty() && look != HostStyle{})
            looks.hosts[host.toStdString()] = look;
    }
    const QJsonArray order = json["order"].toArray();
    for (qsizetype i = 0; i < std::min(order.size(), MostHosts); ++i)
        if (const QString host = order[i].toString(); !host.isEmpty())
            looks.order.push_back(host.toStdString());
    return looks;
}

} // namespace helio
