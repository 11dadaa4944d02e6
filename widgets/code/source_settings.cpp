#include "widgets/code/source_settings.h"

#include <QSettings>

namespace helio {

SourcePaths savedSourcePaths()
{
    SourcePaths paths;
    QSettings settings;
    const int mappings = settings.beginReadArray("source/mappings");
    for (int i = 0; i < mappings; ++i) {
        settings.setArrayIndex(i);
        paths.mappings.push_back({settings.value("recorded").toString().toStdString(), settings.value("local").toString().toStdString()});
    }
    settings.endArray();
    for (const QString& directory : settings.value("source/directories").toStringList())
        paths.directories.emplace_back(directory.toStdString());
    return paths;
}

void saveSourcePaths(const SourcePaths& paths)
{
    QSettings settings;
    settings.remove("source/mappings");
    settings.beginWriteArray("source/mappings");
    for (std::size_t i = 0; i < paths.mappings.size(); ++i) {
        settings.setArrayIndex(int(i));
        settings.setValue("recorded", QString::fromStdString(paths.mappings[i].recorded));
        settings.setValue("local", QString::fromStdString(paths.mappings[i].local.string()));
    }
    settings.endArray();
    QStringList directories;
    for (const auto& directory : paths.directories)
        directories << QString::fromStdString(directory.string());
    settings.setValue("source/directories", directories);
}

QString savedEditor() { return QSettings().value("source/editor").toString(); }

void saveEditor(const QString& command) { QSettings().setValue("source/editor", command); }

} // namespace helio
