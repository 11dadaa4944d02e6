#include "app/window/settings.h"

#include "app/window/trace_path.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QStandardPaths>

#include <algorithm>

namespace helio {

namespace {

constexpr int MostRecent = 12;

QString layoutKey(RecordingKind kind)
{
    static constexpr const char* Names[] = {"states", "samples", "untimed", "events"}; ///< In the order of RecordingKind.
    return QStringLiteral("layout/") + QLatin1String(Names[int(kind)]);
}

} // namespace

QStringList Settings::recentFiles() const { return m_store.value("recent").toStringList(); }

void Settings::addRecent(const QStringList& paths)
{
    QStringList recent = recentFiles();
    QStringList absolute;
    for (const QString& path : paths)
        absolute << QFileInfo(tracePath(path)).absoluteFilePath();
    if (absolute.isEmpty())
        return;
    recent.removeAll(absolute.join('\n'));
    recent.prepend(absolute.join('\n'));
    m_store.setValue("recent", recent.mid(0, MostRecent));
}

void Settings::clearRecent() { m_store.remove("recent"); }

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

QMap<QString, bool> Settings::analyses() const
{
    QMap<QString, bool> all;
    const QVariantMap kept = m_store.value("analyses").toMap();
    for (auto it = kept.begin(); it != kept.end(); ++it)
        all.insert(it.key(), it.value().toBool());
    return all;
}

void Settings::setAnalysis(const QString& id, bool isOn)
{
    QVariantMap all = m_store.value("analyses").toMap();
    all.insert(id, isOn);
    m_store.setValue("analyses", all);
}

QString Settings::lastSessionPath()
{
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    QDir().mkpath(folder);
    return folder + "/last.heliograph";
}

} // namespace helio
