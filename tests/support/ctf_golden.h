#pragma once

#include "core/trace/trace.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <filesystem>
#include <vector>

namespace helio {

/// A golden file: its first line says why it exists, then come sections.
///
///     --- metadata [packets|FOLDER]         TSDL; "packets" writes it in packets as lttng does
///     --- stream NAME                    bytes: hex pairs, "text", le32:5, be64:7, 00*12; # begins a comment
///     --- events                         events and losses that the reader returns, one a line
///     --- diagnostics                    kind x count name@offset
///     --- error                          message of a failing open(), without the folder's name
struct GoldenFile {
    struct Section {
        QString kind;
        QString name;
        QStringList lines;
    };
    QString path;
    QString why;
    std::vector<Section> sections;

    static GoldenFile read(const QString& path);

    QStringList lines(const QString& kind) const; ///< Lines of the section `kind`, without empty lines at its end.
    /// Replaces the lines of the result section `kind`.
    void rewrite(const QString& kind, const QStringList& lines);
    void save() const;

    /// Writes the trace's files. Stops the test on bad hex.
    void unpackTo(const std::filesystem::path& folder) const;
};

/// Adds the column "path" to the data of a test, and a row for each golden file of tests/golden/ctf.
void addGoldenRows();

/// The bytes that a stream section's lines stand for.
QByteArray parseGoldenBytes(const QStringList& lines);

/// Opens a trace with our own reader alone, both steps of beginCtf().
Result<std::shared_ptr<const Trace>> openCtf(const TraceSource& source);

/// Opens the trace in the folder with our own reader alone and formats all it reads like the result sections of golden files.
struct GoldenResult {
    QStringList events;
    QStringList diagnostics;
    QStringList error;
};
GoldenResult readGolden(const std::filesystem::path& folder);

} // namespace helio
