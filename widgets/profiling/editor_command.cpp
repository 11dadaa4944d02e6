#include "widgets/profiling/editor_command.h"

#include "widgets/code/source_settings.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QUrl>

#include <algorithm>
#include <iterator>

namespace helio {

namespace {

QStringList filledIn(QStringList words, const QString& file, int line)
{
    bool namesFile = false;
    for (QString& word : words) {
        namesFile = namesFile || word.contains(QLatin1String("%f"));
        word.replace(QLatin1String("%l"), QString::number(line)).replace(QLatin1String("%f"), file);
    }
    if (!namesFile)
        words << file;
    return words;
}

} // namespace

QStringList editorCommand(const QString& file, int line, const QString& own, const QString& visual, const QString& editor,
                          const QString& terminal)
{
    if (!own.trimmed().isEmpty())
        return filledIn(QProcess::splitCommand(own), file, line);
    const QStringList words = QProcess::splitCommand(visual.trimmed().isEmpty() ? editor : visual);
    if (words.isEmpty())
        return {};
    const QString name = QFileInfo(words[0]).fileName();
    if (name == "code" || name == "codium")
        return words + QStringList{"--goto", QStringLiteral("%1:%2").arg(file).arg(line)};
    if (name == "kate" || name == "kwrite")
        return words + QStringList{"--line", QString::number(line), file};
    if (name == "subl" || name == "zed")
        return words + QStringList{QStringLiteral("%1:%2").arg(file).arg(line)};
    const QStringList plus = words + QStringList{QStringLiteral("+%1").arg(line), file};
    if (name == "gedit" || name == "gvim" || name == "emacs" || name == "emacsclient" || name == "gnome-text-editor" || name == "mousepad")
        return plus;
    constexpr const char* OfTerminals[] = {"vi",    "vim", "nvim", "view", "nano",   "pico", "micro", "hx",
                                           "helix", "kak", "joe",  "jed",  "mcedit", "ne",   "ed"};
    if (std::ranges::find(OfTerminals, name) == std::end(OfTerminals))
        // The editor is unknown and probably opens its own window. Its option for a line number is unknown too, so it only gets the file.
        return words + QStringList{file};
    // These editors accept +LINE and need a terminal.
    return terminal.isEmpty() ? QStringList() : QStringList{terminal, "-e"} + plus;
}

bool openInEditor(const QString& file, int line)
{
    const QString terminal = QStandardPaths::findExecutable("x-terminal-emulator");
    const QStringList command =
        editorCommand(file, std::max(1, line), savedEditor(), qEnvironmentVariable("VISUAL"), qEnvironmentVariable("EDITOR"), terminal);
    return command.isEmpty() ? QDesktopServices::openUrl(QUrl::fromLocalFile(file)) : QProcess::startDetached(command[0], command.mid(1));
}

} // namespace helio
