#pragma once

#include <QByteArray>
#include <QMap>
#include <QProcess>
#include <QStandardPaths>
#include <QString>
#include <QStringList>

// Runs perf on a recording, so that tests can compare Heliograph's results with perf's.

namespace helio {

inline bool hasPerf() { return !QStandardPaths::findExecutable("perf").isEmpty(); }

/// Runs perf with the arguments and returns its standard output. `buildIds`: folder of the build-id cache, for binaries that are no
/// longer at their recorded paths.
inline QByteArray perf(const QString& buildIds, const QStringList& arguments)
{
    QProcess process;
    process.start("perf", QStringList{"--buildid-dir", buildIds} + arguments);
    return process.waitForFinished(300'000) ? process.readAllStandardOutput() : QByteArray();
}

/// Number of samples by stack, outermost frame first: "work;main;[libc.so.6]".
using FoldedStacks = QMap<QByteArray, int>;

/// Parses lines of folded stacks ("main;work 12") into counts by stack.
inline FoldedStacks foldedStacks(const QByteArray& text)
{
    FoldedStacks stacks;
    for (const QByteArray& line : text.split('\n'))
        if (!line.isEmpty())
            stacks[line.left(line.lastIndexOf(' '))] += line.mid(line.lastIndexOf(' ') + 1).toInt();
    return stacks;
}

/// Converts a frame line of perf script ("  1a2b main (/bin/a)") to the name that FlameGraph's stackcollapse-perf.pl prints: the
/// function, or the module if the function is unknown.
inline QByteArray foldedFrame(QByteArray line)
{
    line = line.trimmed();
    line = line.mid(line.indexOf(' ') + 1);
    const qsizetype module = line.lastIndexOf(" (");
    const QByteArray name = line.left(module);
    if (name != "[unknown]")
        return name;
    const QByteArray path = line.mid(module + 2).chopped(1);
    return path == name ? name : '[' + path.mid(path.lastIndexOf('/') + 1) + ']';
}

/// Returns the folded stacks that `perf script` prints with these arguments. Inlined functions are not frames.
inline FoldedStacks stacksOfPerfScript(const QString& buildIds, const QStringList& arguments)
{
    FoldedStacks stacks;
    QByteArrayList frames; // Frames of the current stack; the first is the command.
    for (const QByteArray& line : perf(buildIds, QStringList{"script", "--no-inline", "-F", "comm,ip,sym,dso"} + arguments).split('\n')) {
        if (line.startsWith('\t')) {
            frames.insert(1, foldedFrame(line));
        } else if (!line.isEmpty()) {
            frames = {line.trimmed()};
        } else if (!frames.isEmpty()) {
            ++stacks[frames.join(';')];
            frames.clear();
        }
    }
    return stacks;
}

/// Lists the stacks whose sample counts differ, one a line; empty if both are equal.
inline QByteArray differenceOf(const FoldedStacks& ours, const FoldedStacks& theirs)
{
    QByteArray text;
    for (auto it = theirs.begin(); it != theirs.end(); ++it)
        if (ours.value(it.key()) != it.value())
            text += "perf " + it.key() + ' ' + QByteArray::number(it.value()) + ", ours " + QByteArray::number(ours.value(it.key())) + '\n';
    for (auto it = ours.begin(); it != ours.end(); ++it)
        if (!theirs.contains(it.key()))
            text += "ours " + it.key() + ' ' + QByteArray::number(it.value()) + '\n';
    return text;
}

} // namespace helio
