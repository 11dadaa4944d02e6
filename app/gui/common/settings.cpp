#include "app/gui/common/settings.h"

#include "app/gui/common/trace_path.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QStandardPaths>

#include <algorithm>

namespace helio {

namespace {

constexpr int MostRecent = 12;
constexpr const char* AnalysesKey = "recordingAnalyses";

/// Returns the settings key of traces that are opened together: their absolute paths, one per line.
QString recordingKey(const QStringList& paths)
{
    QStringList absolute;
    for (const QString& path : paths)
        absolute << absolutePath(tracePath(path));
    return absolute.join('\n');
}

QString layoutKey(RecordingKind kind)
{
    /// Names of the kinds of recordings in the settings, in the order of RecordingKind.
    static constexpr const char* Names[] = {"states", "slices", "samples", "untimed", "events"};
    return QStringLiteral("layout/") + QLatin1String(Names[int(kind)]);
}

} // namespace

QStringList Settings::recentFiles() const { return m_store.value("recent").toStringList(); }

void Settings::addRecent(const QStringList& paths)
{
    if (paths.isEmpty())
        return;
    QStringList recent = recentFiles();
    recent.removeAll(recordingKey(paths));
    recent.prepend(recordingKey(paths));
    m_store.setValue("recent", recent.mid(0, MostRecent));
}

void Settings::clearRecent() { m_store.remove("recent"); }

QString Settings::openFolder() const { return m_store.value("openFolder").toString(); }

void Settings::setOpenFolder(const QString& folder) { m_store.setValue("openFolder", folder); }

QString Settings::saveFolder() const { return m_store.value("saveFolder").toString(); }

void Settings::setSaveFolder(const QString& folder) { m_store.setValue("saveFolder", folder); }

Settings::ThemeChoice Settings::theme() const
{
    const QString name = m_store.value("theme").toString();
    return name == "dark" ? ThemeChoice::Dark : name == "light" ? ThemeChoice::Light : ThemeChoice::Desktop;
}

void Settings::setTheme(ThemeChoice choice)
{
    m_store.setValue("theme", choice == ThemeChoice::Dark ? "dark" : choice == ThemeChoice::Light ? "light" : "desktop");
}

int Settings::density() const { return std::clamp(m_store.value("density", 1).toInt(), 0, 2); }

void Settings::setDensity(int density) { m_store.setValue("density", density); }

int Settings::timeMode() const { return std::clamp(m_store.value("times", 0).toInt(), 0, 2); }

void Settings::setTimeMode(int mode) { m_store.setValue("times", mode); }

QByteArray Settings::geometry() const { return m_store.value("geometry").toByteArray(); }

void Settings::setGeometry(const QByteArray& geometry) { m_store.setValue("geometry", geometry); }

QJsonObject Settings::layout(RecordingKind kind) const
{
    return QJsonDocument::fromJson(m_store.value(layoutKey(kind)).toByteArray()).object();
}

void Settings::setLayout(RecordingKind kind, const QJsonObject& layout)
{
    m_store.setValue(layoutKey(kind), QJsonDocument(layout).toJson(QJsonDocument::Compact));
}

QMap<QString, bool> Settings::analyses(const QStringList& traces) const
{
    const QString key = recordingKey(traces);
    QMap<QString, bool> all;
    for (const QJsonValue& recording : QJsonDocument::fromJson(m_store.value(AnalysesKey).toByteArray()).array())
        if (recording["traces"].toString() == key)
            all = switchesFrom(recording["analyses"].toObject());
    return all;
}

void Settings::setAnalyses(const QStringList& traces, const QMap<QString, bool>& switches)
{
    constexpr int MostRecordings = 100;
    const QString key = recordingKey(traces);
    QJsonArray kept;
    if (!switches.isEmpty())
        kept << QJsonObject{{"traces", key}, {"analyses", switchesJson(switches)}};
    for (const QJsonValue& recording : QJsonDocument::fromJson(m_store.value(AnalysesKey).toByteArray()).array())
        if (recording["traces"].toString() != key && kept.size() < MostRecordings)
            kept << recording;
    m_store.setValue(AnalysesKey, QJsonDocument(kept).toJson(QJsonDocument::Compact));
}

QJsonObject switchesJson(const QMap<QString, bool>& switches)
{
    QJsonObject json;
    for (auto it = switches.begin(); it != switches.end(); ++it)
        json[it.key()] = it.value();
    return json;
}

QMap<QString, bool> switchesFrom(const QJsonObject& json)
{
    QMap<QString, bool> switches;
    for (auto it = json.begin(); it != json.end(); ++it)
        if (it.value().isBool())
            switches.insert(it.key(), it.value().toBool());
    return switches;
}

QString Settings::lastSessionPath()
{
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    QDir().mkpath(folder);
    return folder + "/last.heliograph";
}

} // namespace helio
