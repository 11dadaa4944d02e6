#include "app/gui/common/shell_command.h"

#include "app/gui/common/trace_path.h"
#include "core/base/shell_words.h"

#include <QFileInfo>

namespace helio {

namespace {

QString joinedForShell(const QStringList& words)
{
    std::vector<std::string> plain;
    for (const QString& word : words)
        plain.push_back(word.toStdString());
    return QString::fromStdString(shellLine(plain));
}

QString absolute(const QString& path) { return path.isEmpty() ? QString() : absolutePath(path); }
QString absoluteFile(const std::filesystem::path& path) { return absolute(QString::fromStdString(path.string())); }

} // namespace

QStringList readingOptions(const ExperimentOptions& options, const std::vector<std::filesystem::path>& analyses)
{
    QStringList words;
    for (const auto& [trace, offset] : options.offsets) {
        const QString name = QString::fromStdString(trace); // Name or path of the trace, as in --offset.
        words << "--offset" << (QFileInfo::exists(name) ? absolute(name) : name) + '=' + QString::number(offset.count());
    }
    if (!options.synchronize)
        words << "--no-sync";
    for (const auto& folder : options.symbols.directories)
        words += optionWords("--symbols", absoluteFile(folder));
    words += optionWords("--kallsyms", absoluteFile(options.symbols.kallsyms));
    words += optionWords("--guest-kallsyms", absoluteFile(options.symbols.guestKallsyms));
    words += optionWords("--sysroot", absoluteFile(options.symbols.sysroot));
    if (options.symbols.usesDebuginfod)
        words << "--debuginfod";
    for (const auto& file : analyses)
        words += optionWords("--analysis", absoluteFile(file));
    return words;
}

QString makeShellCommand(const ShownCommand& shown, const QStringList& traces, const ExperimentOptions& options,
                         const std::vector<std::filesystem::path>& analyses)
{
    if (shown.words.front().startsWith("--"))
        return makeWindowCommand(shown.words, traces, options, analyses);
    const bool isOfTraces = shown.file.isEmpty();
    QStringList words{"heliograph", shown.words.front()};
    if (shown.traceOption.isEmpty())
        for (const QString& input : isOfTraces ? traces : QStringList{shown.file})
            words << absolute(input);
    words += shown.words.mid(1);
    if (!shown.traceOption.isEmpty())
        for (const QString& trace : traces)
            words << shown.traceOption << absolute(trace);
    if (isOfTraces)
        words += readingOptions(options, analyses);
    return joinedForShell(words);
}

QString makeWindowCommand(const QStringList& position, const QStringList& traces, const ExperimentOptions& options,
                          const std::vector<std::filesystem::path>& analyses)
{
    QStringList words{"heliograph"};
    for (const QString& trace : traces)
        words << absolute(trace);
    return joinedForShell(words + position + readingOptions(options, analyses));
}

QString makeCompareCommand(const QStringList& a, const QStringList& b, const QStringList& options, const ExperimentOptions& reading,
                           const std::vector<std::filesystem::path>& analyses)
{
    QStringList words{"heliograph", "compare"};
    for (const auto& [option, traces] : {std::pair("--a", &a), std::pair("--b", &b)}) {
        words << option;
        for (const QString& trace : *traces)
            words << absolute(trace);
    }
    return joinedForShell(words + options + readingOptions(reading, analyses));
}

} // namespace helio
