#pragma once

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

// Runs the built program as a user does, with a temporary cache, and parses its output.

namespace helio {

struct ProgramResult {
    int status = -1;
    QByteArray out;
    QByteArray err;

    /// Lines of standard output, without line ends.
    QList<QByteArray> lines() const
    {
        QList<QByteArray> all = out.split('\n');
        if (!all.isEmpty() && all.last().isEmpty())
            all.removeLast();
        for (QByteArray& line : all)
            if (line.endsWith('\r'))
                line.chop(1);
        return all;
    }
};

inline ProgramResult runTool(const QString& tool, const QStringList& arguments, const QProcessEnvironment& environment)
{
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(tool, arguments);
    if (!process.waitForFinished(300'000))
        return {};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAllStandardOutput(),
            process.readAllStandardError()};
}

inline QProcessEnvironment plainEnvironment()
{
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("TZ", "UTC");
    environment.insert("LC_ALL", "C.UTF-8");
    environment.remove("DISPLAY");
    environment.remove("WAYLAND_DISPLAY");
    return environment;
}

/// Runs the program with these arguments. Its stores are written to a folder of this test program; no plug-ins are loaded.
inline ProgramResult heliograph(const QStringList& arguments)
{
    static QTemporaryDir home;
    auto environment = plainEnvironment();
    for (const char* place : {"XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"})
        environment.insert(place, home.path());
    return runTool(HELIOGRAPH_PROGRAM, arguments, environment);
}

inline ProgramResult babeltrace2(const QStringList& arguments) { return runTool("babeltrace2", arguments, plainEnvironment()); }

/// Splits a CSV line into cells (RFC 4180; no line breaks inside cells).
inline QList<QByteArray> csvCells(const QByteArray& line)
{
    QList<QByteArray> cells{QByteArray()};
    bool isQuoted = false;
    for (qsizetype i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '"' && isQuoted && i + 1 < line.size() && line[i + 1] == '"')
            cells.last() += line[i++];
        else if (c == '"')
            isQuoted = !isQuoted;
        else if (c == ',' && !isQuoted)
            cells << QByteArray();
        else
            cells.last() += c;
    }
    return cells;
}

using CsvRow = QHash<QByteArray, QByteArray>;

/// Parses CSV output into rows; cells are keyed by the header line.
inline QList<CsvRow> csvRows(const ProgramResult& answer)
{
    const auto lines = answer.lines();
    QList<CsvRow> rows;
    if (lines.isEmpty())
        return rows;
    const auto names = csvCells(lines.first());
    for (const QByteArray& line : lines.mid(1)) {
        const auto cells = csvCells(line);
        CsvRow row;
        for (qsizetype i = 0; i < names.size(); ++i)
            row.insert(names[i], cells.value(i));
        rows << row;
    }
    return rows;
}

inline QString sampleTrace() { return QStringLiteral(SOURCE_DIR "/resources/samples/workers"); }

} // namespace helio
