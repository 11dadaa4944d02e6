#pragma once

#include "tests/app/cli/program.h"
#include "tests/support/files.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QMap>
#include <QRandomGenerator>
#include <QTemporaryDir>

#include <functional>
#include <vector>

namespace helio::test {

/// Something that Heliograph does. In `arguments`, TRACE stands for the trace and OUT for the folder of the output.
struct Operation {
    const char* name;
    QStringList arguments;
    bool isWarm = false; ///< True if the trace was indexed before.
    const char* trace = "workers"; ///< "workers"; "archive" (workers, packed); "counters" (more than 1 MB of counters)
    const char* program = HELIOGRAPH_PROGRAM;
    bool isSlow = false; ///< True if only some kinds of errors are tried, unless HELIOGRAPH_ALL_FAULTS is set.
};

inline const std::vector<Operation>& operations()
{
    static const QString Time = "SELECT state, count(*), sum(dur) FROM thread_state GROUP BY state ORDER BY state";
    static const std::vector<Operation> all{
        {"index", {"stats", "TRACE", "--view", "control-flow", "--format", "csv"}},
        {"reopen", {"stats", "TRACE", "--view", "control-flow", "--format", "csv"}, true},
        {"query", {"sql", "TRACE", Time, "--format", "csv"}, true},
        {"unpack", {"stats", "TRACE", "--view", "control-flow", "--format", "csv"}, false, "archive"},
        {"index counters", {"counters", "TRACE", "--view", "app-counters", "--format", "csv"}, false, "counters", HELIOGRAPH_PROGRAM, true},
        {"export chrome-json", {"export", "TRACE", "--to", "chrome-json", "-o", "OUT/t.json"}, true, "workers", HELIOGRAPH_PROGRAM, true},
        {"export perfetto", {"export", "TRACE", "--to", "perfetto", "-o", "OUT/t.pftrace"}, true, "workers", HELIOGRAPH_PROGRAM, true},
        {"export csv", {"export", "TRACE", "--to", "csv", "-o", "OUT/t"}, true, "workers", HELIOGRAPH_PROGRAM, true},
        {"export sqlite", {"export", "TRACE", "--to", "sqlite", "-o", "OUT/t.db"}, true, "workers", HELIOGRAPH_PROGRAM, true},
        {"export ctf", {"export", "TRACE", "--to", "ctf", "-o", "OUT/t"}, true},
        {"render", {"render", "TRACE", "--view", "control-flow", "-o", "OUT/t.svg"}, true, "workers", HELIOGRAPH_PROGRAM, true},
        {"report", {"report", "TRACE", "-o", "OUT/t.html"}, true, "workers", HELIOGRAPH_PROGRAM, true},
        {"window", {"TRACE"}, true, "workers", FAULTED_WINDOW, true},
    };
    return all;
}

/// A folder with a copy of a trace, the cache, and the output of Heliograph.
class Workplace {
public:
    using Files = QMap<QString, QByteArray>; ///< Hashes of files, by their paths in a folder.

    explicit Workplace(const Operation& operation)
        : m_trace(path(qstrcmp(operation.trace, "archive") == 0        ? "trace.tar.gz"
                           : qstrcmp(operation.trace, "counters") == 0 ? "trace.json"
                                                                       : "trace"))
        , m_program(operation.program)
    {
        if (qstrcmp(operation.trace, "archive") == 0)
            runTool("tar", {"-czf", m_trace, "-C", SOURCE_DIR "/resources/samples", "workers"}, plainEnvironment());
        else if (qstrcmp(operation.trace, "counters") == 0)
            writeFile(m_trace, counters());
        else
            copyTree(QStringLiteral(SOURCE_DIR "/resources/samples/workers"), m_trace);
        QProcess::execute("cp", {"-a", m_trace, path("kept")});
        m_traceFiles = filesIn(m_trace);
    }

    QString path(const QString& name) const { return m_folder.path() + '/' + name; }

    struct Fault {
        long at = 0; ///< Number of the call that fails; 0 for none.
        QByteArray kind = "0"; ///< See fault_shim.cpp.
        QByteArray calls{}; ///< Names of the calls that are counted; all calls on files if empty.
        bool stays = false;
    };
    struct Outcome {
        ProgramResult result;
        bool hasCrashed = false;
        bool hangs = false;
        long calls = 0;
        QByteArray hit; ///< Name and path of the call that failed.
    };

    /// Empties the output; empties the cache, or indexes the trace.
    void prepare(const Operation& operation) const
    {
        removeOutput();
        if (!operation.isWarm)
            forgetCache();
        else if (cache().isEmpty())
            runForced();
    }

    /// Runs an operation with its cache and output in this folder.
    Outcome run(const Operation& operation, const Fault& fault) const
    {
        QStringList arguments = operation.arguments;
        for (QString& argument : arguments)
            argument.replace("TRACE", m_trace).replace("OUT", path("out"));
        return run(operation.program, arguments, fault);
    }
    /// Runs an operation by the shell after the commands `limits`, which set limits of its process.
    Outcome runLimited(const Operation& operation, const QString& limits) const
    {
        QStringList arguments = operation.arguments;
        for (QString& argument : arguments)
            argument.replace("TRACE", m_trace).replace("OUT", path("out"));
        return run("bash", QStringList{"-c", limits + R"(; exec "$0" "$@")", operation.program} + arguments, {});
    }
    /// Indexes the trace again, whatever the cache holds.
    void runForced() const { run(HELIOGRAPH_PROGRAM, {"index", m_trace, "--force", "--quiet"}, {}); }

    /// Lets every user read and write here.
    void openToAll() const { QProcess::execute("chmod", {"-R", "a+rwX", m_folder.path()}); }
    void forgetCache() const { QDir(path("home")).removeRecursively(); }
    void removeOutput() const
    {
        QDir(path("out")).removeRecursively();
        for (const char* folder : {"out", "tmp", "home", "config"})
            QDir().mkpath(path(folder));
    }
    /// Makes the trace again what it was, with its times, if another program changed it.
    void restoreTrace() const
    {
        if (filesIn(m_trace) == m_traceFiles)
            return;
        QProcess::execute("rm", {"-r", m_trace});
        QProcess::execute("cp", {"-a", path("kept"), m_trace});
    }

    /// True if a file of the output contains this text.
    bool outputContains(const QByteArray& text) const
    {
        QDirIterator it(path("out"), QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext())
            if (QFile file(it.next()); file.open(QIODevice::ReadOnly) && file.readAll().contains(text))
                return true;
        return false;
    }

    Files output() const { return filesIn(path("out")); }
    Files cache() const { return filesIn(path("home")); }

private:
    Outcome run(const QString& program, const QStringList& arguments, const Fault& fault) const
    {
        constexpr int Milliseconds = 60'000; // A longer run counts as hung.
        QProcessEnvironment environment = plainEnvironment();
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        environment.insert("XDG_CACHE_HOME", path("home"));
        environment.insert("XDG_DATA_HOME", path("config"));
        environment.insert("XDG_CONFIG_HOME", path("config"));
        environment.insert("TMPDIR", path("tmp"));
        environment.insert("LD_PRELOAD", FAULT_SHIM);
        environment.insert("FAULT_PROGRAM", QFileInfo(program).fileName());
        QStringList under;
        for (const char* folder : {"trace", "home", "config", "out", "tmp"})
            if (!m_trace.endsWith(".json") || qstrcmp(folder, "trace") != 0) // Its store is of interest, with the files that it is made of.
                under << path(folder);
        environment.insert("FAULT_UNDER", under.join(':'));
        // Another program may change the trace and its index, but not what is unpacked, which would be another trace.
        environment.insert("FAULT_CHANGED", m_trace.endsWith(".gz") ? m_trace : m_trace + ":" + path("home"));
        environment.insert("FAULT_AT", QString::number(fault.at));
        environment.insert("FAULT_KIND", QString::fromLatin1(fault.kind));
        environment.insert("FAULT_COUNT", path("count"));
        if (!fault.calls.isEmpty())
            environment.insert("FAULT_CALLS", QString::fromLatin1(fault.calls));
        if (fault.stays)
            environment.insert("FAULT_STAYS", "1");
        QFile::remove(path("count"));
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start(program, arguments);
        Outcome outcome;
        outcome.hangs = !process.waitForFinished(Milliseconds);
        if (outcome.hangs)
            process.kill();
        process.waitForFinished();
        outcome.hasCrashed = !outcome.hangs && process.exitStatus() == QProcess::CrashExit;
        outcome.result = {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
        QFile count(path("count"));
        if (count.open(QIODevice::ReadOnly)) {
            const QByteArray text = count.readAll();
            outcome.calls = text.left(text.indexOf(' ')).toLong();
            outcome.hit = text.mid(text.indexOf(' ') + 1).replace(path("").toUtf8(), "");
        }
        return outcome;
    }

    static Files filesIn(const QString& folder)
    {
        Files files;
        const auto add = [&](const QString& name) {
            QFile file(name);
            files[name.mid(folder.size())] = file.open(QIODevice::ReadOnly)
                ? QCryptographicHash::hash(file.readAll(), QCryptographicHash::Sha1)
                : QByteArray("unreadable");
        };
        if (QFileInfo(folder).isFile())
            add(folder);
        QDirIterator it(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (it.hasNext())
            add(it.next());
        return files;
    }

    /// Returns a trace of Chrome with counters that take more than 1 MB in a store.
    static QByteArray counters()
    {
        QRandomGenerator random(7);
        QByteArray text = "[\n";
        for (int i = 0; i < 170'000; ++i)
            text += R"({"ph":"C","pid":1,"name":"c)" + QByteArray::number(i % 12) + R"(","ts":)" + QByteArray::number(3 * i)
                + R"(,"args":{"v":)" + QByteArray::number(random.generateDouble(), 'g', 17) + "}},\n";
        return text + R"({"ph":"C","pid":1,"name":"c0","ts":600000,"args":{"v":0}}])" + '\n';
    }

    const QTemporaryDir m_folder;
    const QString m_trace;
    const QString m_program;
    Files m_traceFiles;
};

} // namespace helio::test
