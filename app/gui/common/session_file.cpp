#include "app/gui/common/session_file.h"

#include "app/timesync/clock_settings_json.h"
#include "core/experiment/host_styles.h"
#include "core/remote/remote_address.h"
#include "core/store/file/temporary_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <functional>

namespace helio {

namespace {

constexpr qsizetype MostHosts = 4'096; ///< Maximum number of hosts read from a file.
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

/// Converts the user's settings of the hosts to JSON for session files: name and colour of each host, and the order of the hosts.
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

/// Reads host settings from JSON; skips invalid entries.
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

constexpr qint64 LargestFile = 16 << 20;

QString toJson(Timestamp t) { return QString::number(nanoseconds(t)); }
QJsonArray toJson(TimeRange range) { return {toJson(range.begin), toJson(range.end)}; }

TimeRange rangeFrom(const QJsonValue& value)
{
    const QJsonArray ends = value.toArray();
    const TimeRange range{sessionTime(ends.at(0)), sessionTime(ends.at(1))};
    return range.end < range.begin ? TimeRange{} : range;
}

QString pathText(const std::filesystem::path& path) { return QString::fromStdString(path.string()); }

QJsonObject toJson(const SymbolOptions& symbols)
{
    QJsonArray folders;
    for (const auto& folder : symbols.directories)
        folders << pathText(folder);
    QJsonObject json;
    if (!folders.isEmpty())
        json["folders"] = folders;
    if (!symbols.sysroot.empty())
        json["sysroot"] = pathText(symbols.sysroot);
    if (!symbols.kallsyms.empty())
        json["kallsyms"] = pathText(symbols.kallsyms);
    if (!symbols.guestKallsyms.empty())
        json["guest_kallsyms"] = pathText(symbols.guestKallsyms);
    return json;
}

SymbolOptions symbolsFrom(const QJsonObject& json)
{
    SymbolOptions symbols;
    for (const QJsonValue& folder : json["folders"].toArray())
        if (!folder.toString().isEmpty())
            symbols.directories.emplace_back(folder.toString().toStdString());
    symbols.sysroot = json["sysroot"].toString().toStdString();
    symbols.kallsyms = json["kallsyms"].toString().toStdString();
    symbols.guestKallsyms = json["guest_kallsyms"].toString().toStdString();
    return symbols;
}

/// Calls `change` for each path in a session; `change` may modify the path.
void forEachPath(SessionState& state, const std::function<void(QString&)>& change)
{
    for (QString& trace : state.traces)
        change(trace);
    if (!state.lockStat.isEmpty())
        change(state.lockStat);
    const auto changeSymbols = [&](std::filesystem::path& path) {
        QString text = pathText(path);
        change(text);
        path = text.toStdString();
    };
    std::ranges::for_each(state.symbols.directories, changeSymbols);
    for (std::filesystem::path* path : {&state.symbols.sysroot, &state.symbols.kallsyms, &state.symbols.guestKallsyms})
        if (!path->empty())
            changeSymbols(*path);
}

Error bad(Error::Kind kind, const QString& path, const QString& what) { return {kind, (path + ": " + what).toStdString()}; }

} // namespace

Timestamp sessionTime(const QJsonValue& value)
{
    constexpr qint64 Farthest = qint64(1) << 61; // Limit of times in a file: 73 years in ns, so that sums of times do not overflow.
    return timestamp(std::clamp<qint64>(value.toString().toLongLong(), -Farthest, Farthest));
}

QJsonObject sessionJson(const SessionState& state)
{
    QJsonArray bookmarks;
    for (const Bookmark& bookmark : state.bookmarks)
        bookmarks << QJsonObject{{"name", bookmark.name}, {"range", toJson(bookmark.range)}};
    QJsonObject root{{"traces", QJsonArray::fromStringList(state.traces)},
                     {"visible", toJson(state.visible)},
                     {"selection", toJson(state.selection)},
                     {"cursor", toJson(state.cursor)},
                     {"bookmarks", bookmarks},
                     {"search", state.search},
                     {"filter", state.filter},
                     {"layout", state.layout}};
    if (!state.lockStat.isEmpty())
        root["lockStat"] = state.lockStat;
    if (const QJsonObject symbols = toJson(state.symbols); !symbols.isEmpty())
        root["symbols"] = symbols;
    if (state.clocks)
        root["clocks"] = clockSettingsJson(*state.clocks);
    if (state.looks != HostStyles{})
        root["hosts"] = hostStylesJson(state.looks);
    if (state.rowTrace >= 0)
        root["row"] = QJsonObject{{"trace", state.rowTrace}, {"view", state.rowView}, {"id", state.rowId}};
    if (state.path)
        root["path"] = QJsonObject{{"trace", state.path->trace},
                                   {"view", QString::fromStdString(state.path->view)},
                                   {"id", QString::fromStdString(state.path->id)},
                                   {"range", toJson(state.path->range)}};
    if (!state.isPathLit)
        root["pathLit"] = false;
    if (!state.showsOnlyPath)
        root["onlyPath"] = false;
    return root;
}

SessionState sessionFrom(const QJsonObject& root)
{
    SessionState state;
    for (const QJsonValue& trace : root["traces"].toArray())
        if (trace.isString())
            state.traces << trace.toString();
    state.lockStat = root["lockStat"].toString();
    state.visible = rangeFrom(root["visible"]);
    state.selection = rangeFrom(root["selection"]);
    state.cursor = sessionTime(root["cursor"]);
    for (const QJsonValue& bookmark : root["bookmarks"].toArray())
        state.bookmarks.push_back({rangeFrom(bookmark["range"]), bookmark["name"].toString()});
    if (root["row"].isObject()) {
        state.rowTrace = root["row"]["trace"].toInt(-1);
        state.rowView = root["row"]["view"].toString();
        state.rowId = root["row"]["id"].toString();
    }
    if (const QJsonValue path = root["path"]; path.isObject() && path["trace"].toInt(-1) >= 0)
        state.path = NamedPathRequest{path["trace"].toInt(), path["view"].toString().toStdString(), path["id"].toString().toStdString(),
                                      rangeFrom(path["range"])};
    state.isPathLit = root["pathLit"].toBool(true);
    state.showsOnlyPath = root["onlyPath"].toBool(true);
    state.looks = hostStylesFrom(root["hosts"].toObject());
    if (root["clocks"].isObject())
        state.clocks = clockSettingsFrom(root["clocks"].toObject());
    state.symbols = symbolsFrom(root["symbols"].toObject());
    state.search = root["search"].toString();
    state.filter = root["filter"].toString();
    state.layout = root["layout"].toObject();
    return state;
}

void makeRelative(const QDir& folder, SessionState& state)
{
    forEachPath(state, [&](QString& path) {
        if (isRemote(path.toStdString()))
            return;
        const QString relative = folder.relativeFilePath(QFileInfo(path).absoluteFilePath());
        path = relative.startsWith("..") ? QFileInfo(path).absoluteFilePath() : relative;
    });
}

void makeAbsolute(const QDir& folder, SessionState& state)
{
    forEachPath(state, [&](QString& path) {
        if (!isRemote(path.toStdString()))
            path = QDir::cleanPath(folder.absoluteFilePath(path));
    });
}

Status writeSessionFile(QJsonObject json, const QString& path)
{
    json["heliograph"] = 1;
    const Status saved = saveFile(path.toStdString(), QJsonDocument(json).toJson().toStdString());
    return saved ? saved : bad(saved.error().kind, path, "cannot be written: " + QString::fromStdString(saved.error().what));
}

Result<QJsonObject> readSessionFile(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return bad(Error::Kind::NotFound, path, "cannot be read: " + file.errorString());
    if (file.size() > LargestFile)
        return bad(Error::Kind::Corrupt, path, "too large for a session file");
    const QByteArray bytes = file.readAll();
    if (file.error() != QFileDevice::NoError)
        return bad(Error::Kind::Unreadable, path, "cannot be read: " + file.errorString());
    QJsonParseError problem;
    const QJsonDocument document = QJsonDocument::fromJson(bytes, &problem);
    if (!document.isObject())
        return bad(Error::Kind::Corrupt, path, "not a session file: " + problem.errorString());
    const int version = document["heliograph"].toInt();
    if (version < 1)
        return bad(Error::Kind::Corrupt, path, "not a session file: no version");
    if (version > 1)
        return bad(Error::Kind::Unsupported, path, "written by a newer version of Heliograph");
    return document.object();
}

Status saveSession(const SessionState& state, const QString& path)
{
    SessionState kept = state;
    makeRelative(QFileInfo(path).absoluteDir(), kept);
    return writeSessionFile(sessionJson(kept), path);
}

Result<SessionState> loadSession(const QString& path)
{
    const auto json = readSessionFile(path);
    if (!json)
        return json.error();
    SessionState state = sessionFrom(*json);
    makeAbsolute(QFileInfo(path).absoluteDir(), state);
    return state;
}

} // namespace helio
