#pragma once

#include "core/trace/trace.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <filesystem>
#include <vector>

namespace helio {

/// A golden file: the first line states the purpose of the file. Sections follow:
///
///     --- metadata [packets|FOLDER]      TSDL; "packets" writes the text in packets as lttng does
///     --- stream NAME                    content in bytes; # begins a comment. Hex pairs; "text"; le32:5 and be64:7 are
///                                        little-endian and big-endian integers; 00*12 is the byte 00 repeated 12 times
///     --- events                         expected events and losses of the reader, one on each line
///     --- diagnostics                    expected diagnostics: kind x count name@offset
///     --- error                          expected message of a failing open(), without the folder's name
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

    QStringList lines(const QString& kind) const; ///< Returns the lines of the section `kind`, without empty lines at its end.
    /// Replaces the lines of the result section `kind` (events, diagnostics or error).
    void rewrite(const QString& kind, const QStringList& lines);
    void save() const;

    /// Writes the golden trace's files into the folder. Invalid hex digits end the test program.
    void unpackTo(const std::filesystem::path& folder) const;
};

/// Adds the column "path" to a data-driven test, and a row for each golden file of tests/golden/ctf.
void addGoldenRows();

/// Returns the bytes that the lines of a `stream` section describe.
QByteArray parseGoldenBytes(const QStringList& lines);

/// Opens a trace with Heliograph's CTF reader alone (never libbabeltrace2), including both steps of beginCtf().
Result<std::shared_ptr<const Trace>> openCtf(const TraceSource& source);

/// Everything that Heliograph's CTF reader returns for a trace, formatted like the result sections of golden files.
struct GoldenResult {
    QStringList events;
    QStringList diagnostics;
    QStringList error;
};
GoldenResult readGolden(const std::filesystem::path& folder);

} // namespace helio
