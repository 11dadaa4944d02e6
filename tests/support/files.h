#pragma once

#include <QByteArray>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QString>

namespace helio::test {

// Helpers that make files for tests. A failure ends the test program, because later checks would mean nothing.

/// Writes a file and creates its folder if necessary. Returns its path.
inline QString writeFile(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    if (!QDir().mkpath(QFileInfo(path).path()) || !file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(path));
    return path;
}

/// Copies a file, or a folder with all its content, and makes the copies writable. Returns `target`.
inline QString copyTree(const QString& source, const QString& target)
{
    const auto copy = [](const QString& from, const QString& to) {
        if (!QDir().mkpath(QFileInfo(to).path()) || !QFile::copy(from, to)
            || !QFile::setPermissions(to, QFile::ReadOwner | QFile::WriteOwner))
            qFatal("cannot copy %s to %s", qPrintable(from), qPrintable(to));
    };
    if (QFileInfo(source).isFile()) {
        copy(source, target);
        return target;
    }
    QDirIterator files(source, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString path = files.next();
        copy(path, target + '/' + QDir(source).relativeFilePath(path));
    }
    return target;
}

} // namespace helio::test
