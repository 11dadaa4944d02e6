#pragma once

#include "core/export/export_format.h"

#include <QFile>
#include <QProcess>
#include <QString>
#include <QTemporaryDir>

#include <memory>
#include <string>
#include <vector>

namespace helio::test {

/// A timeline written in one format, in a folder of its own.
class Exported {
public:
    Exported(std::shared_ptr<const Timeline> timeline, const char* format, ExportSelection selection = {})
    {
        ExportRequest request;
        request.timeline = std::move(timeline);
        request.selection = std::move(selection);
        request.output = path().toStdString();
        if (const Status written = writeExport(*findExportFormat(format), request); !written)
            qFatal("%s", written.error().what.c_str());
    }

    QString path() const { return m_folder.filePath("out"); }
    QString folder() const { return m_folder.path(); }
    QByteArray content(const QString& file) const
    {
        QFile found(path() + (file.isEmpty() ? "" : "/" + file));
        return found.open(QIODevice::ReadOnly) ? found.readAll() : QByteArray("cannot read");
    }

private:
    QTemporaryDir m_folder;
};

/// Returns rows as lines of text.
inline QByteArray joined(const std::vector<std::string>& rows)
{
    QByteArray text;
    for (const std::string& row : rows)
        text += QByteArray::fromStdString(row) + '\n';
    return text;
}

/// Runs python3 with a script, and returns its output; its errors if it fails.
inline QByteArray runPython(const QString& script, const QStringList& arguments)
{
    QProcess process;
    process.start("python3", QStringList{"-c", script} + arguments);
    if (!process.waitForFinished(60'000))
        return "no answer";
    return process.exitCode() == 0 ? process.readAllStandardOutput() : process.readAllStandardError();
}

} // namespace helio::test
