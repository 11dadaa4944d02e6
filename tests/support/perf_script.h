#pragma once

#include <QByteArray>
#include <QMap>
#include <QProcess>
#include <QStandardPaths>
#include <QString>
#include <QStringList>

// What perf itself says of a recording, to compare with.

namespace helio {

inline bool hasPerf() { return !QStandardPaths::findExecutable("perf").isEmpty(); }

/// What perf prints. `buildIds`: a folder of its own for files that are not where they were recorded.
inline QByteArray perf(const QString& buildIds, const QStringList& arguments)
{
    QProcess process;
    process.start("perf", QStringList{"--buildid-dir", buildIds} + arguments);
    return process.waitForFinished(300'000) ? process.readAllStandardOutput() : QByteArray();
}

/// How many samples have a stack, outermost frame first: "work;main;[libc.so.6]".
using FoldedStacks = QMap<QByteArray, int>;

/// Lines of folded stacks.
inline FoldedStacks foldedStacks(const QByteArray& text)
{
    FoldedStacks stacks;
    for (const QByteArray& line : text.split('\n'))
        if (!line.isEmpty())
            stacks[line.left(line.lastIndexOf(' '))] += line.mid(line.lastIndexOf(' ') + 1).toInt();
    return stacks;
}

/// A frame of perf script ("  1a2b main (/bin/a)") as FlameGraph's stackcollapse-perf.pl calls it: by its module where it has no name.
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

/// The stacks that `perf script` prints with these arguments; inlined functions are no frames.
inline FoldedStacks stacksOfPerfScript(const QString& buildIds, const QStringList& arguments)
{
    FoldedStacks stacks;
    QByteArrayList frames; // The command first.
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

/// What the two differ in, a line each; empty: nothing.
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
