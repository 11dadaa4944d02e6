#pragma once

#include "tests/app/cli/program.h"
#include "tests/support/dice.h"
#include "tests/support/files.h"

#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <optional>
#include <thread>
#include <unistd.h>
#include <utility>

// Runs Heliograph with cache and output in a temporary folder, and kills it.

namespace helio::test {

/// Moment at which a run is killed.
struct KillPlan {
    qint64 afterMicroseconds = -1; ///< Time after the start; -1 if the run is killed at a change of a file.
    long atChange = 0; ///< Number of the change of a file, from 1, at which the run kills itself; 0 if a time is given.
    bool killsHelpers = false; ///< With a time: true to kill its helper processes at once with it.
};

/// Returns the content of all files in a folder, with their relative paths; the hidden ones, too.
inline QByteArray contentOf(const QString& folder)
{
    QStringList files;
    QDirIterator it(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (it.hasNext())
        files << it.next();
    files.sort();
    QByteArray all;
    for (const QString& name : files) {
        QFile file(name);
        if (file.open(QIODevice::ReadOnly))
            all += QDir(folder).relativeFilePath(name).toUtf8() + '\n' + QByteArray::number(file.size()) + '\n' + file.readAll();
    }
    return all;
}

/// Returns the content of a file; nullopt if it does not exist.
inline std::optional<QByteArray> readFile(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? std::optional(file.readAll()) : std::nullopt;
}

/// Folder with the home, the cache and the output of runs. The folder may be given, then it is not removed.
class KillPlace {
public:
    explicit KillPlace(QString folder = {})
        : m_folder(folder.isEmpty() ? m_own.path() : std::move(folder))
    {
        for (const char* name : {"home/heliograph", "home/data/heliograph/heliograph", "out", "marks"})
            QDir().mkpath(path(name));
    }

    QString path(const QString& name = {}) const { return name.isEmpty() ? m_folder : m_folder + '/' + name; }

    QProcessEnvironment environment() const
    {
        auto environment = plainEnvironment();
        environment.insert("XDG_CACHE_HOME", path("home"));
        environment.insert("XDG_DATA_HOME", path("home/data"));
        environment.insert("XDG_CONFIG_HOME", path("home"));
        environment.insert("XDG_RUNTIME_DIR", path("home"));
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        return environment;
    }
    /// Returns an environment in which changes of files below home, out and marks are logged to `log`, if it is given.
    QProcessEnvironment logged(const QString& log, long killAt = 0) const
    {
        auto logging = environment();
        logging.insert("LD_PRELOAD", POWER_LOSS_SHIM);
        logging.insert("DISK_UNDER", path("home") + ':' + path("out") + ':' + path("marks"));
        logging.insert("DISK_KILL_AT", QString::number(killAt));
        if (!log.isEmpty())
            logging.insert("DISK_LOG", log);
        return logging;
    }

    ProgramResult run(const QStringList& arguments) const { return runTool(HELIOGRAPH_PROGRAM, arguments, environment()); }

    /// A run that is killed. The destructor kills it in any case.
    class Victim {
    public:
        Victim(const KillPlace& place, const QString& program, const QStringList& arguments, const KillPlan& plan)
            : m_plan(plan)
        {
            m_process.setProcessEnvironment(plan.atChange > 0 ? place.logged({}, plan.atChange) : place.environment());
            m_process.setStandardOutputFile(QProcess::nullDevice());
            m_process.setStandardErrorFile(QProcess::nullDevice());
            m_process.setChildProcessModifier([] { ::setsid(); });
            m_process.start(program, arguments);
            m_process.waitForStarted();
            m_id = pid_t(m_process.processId());
            m_clock.start();
        }
        ~Victim()
        {
            if (m_id > 0)
                ::kill(-m_id, SIGKILL);
            m_process.waitForFinished(30'000);
        }
        Victim(const Victim&) = delete;
        Victim& operator=(const Victim&) = delete;

        /// Kills the run, unless it ended before. Returns true if it was killed.
        bool finish()
        {
            if (m_plan.atChange == 0) {
                const qint64 left = m_plan.afterMicroseconds - m_clock.nsecsElapsed() / 1000;
                if (left > 0)
                    std::this_thread::sleep_for(std::chrono::microseconds(left));
                ::kill(m_plan.killsHelpers ? -m_id : m_id, SIGKILL);
            }
            m_process.waitForFinished(60'000);
            return m_process.exitStatus() == QProcess::CrashExit;
        }
        pid_t id() const { return m_id; }
        /// Waits until no helper process is left; returns false if one is left after 60 s.
        bool hasNoHelpers() const
        {
            for (int i = 0; i < 6'000 && ::kill(-m_id, 0) == 0; ++i)
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            return ::kill(-m_id, 0) != 0;
        }

    private:
        const KillPlan m_plan;
        QProcess m_process;
        QElapsedTimer m_clock;
        pid_t m_id = 0;
    };

    /// Returns the paths of temporary files and folders below a folder, of any writer.
    static QStringList leftovers(const QString& folder)
    {
        QStringList paths;
        QDirIterator it(folder, QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            it.next();
            const QString name = it.fileName();
            const bool isOfQt = name.contains(QRegularExpression("\\.(heliograph|html|png)\\.[A-Za-z]{6}$"));
            if (name.contains(".heliograph-") || name.startsWith(".unpacking-") || isOfQt)
                paths << it.filePath();
        }
        return paths;
    }

private:
    const QTemporaryDir m_own;
    const QString m_folder;
};

/// Writes a text of ftrace with `switches` context switches of 40 threads on 4 CPUs. Returns its path.
inline QString writeSwitches(const QString& path, int switches)
{
    QByteArray text = "# tracer: nop\n#\n";
    Dice dice(7);
    std::array<int, 4> current{100, 101, 102, 103};
    for (int i = 0; i < switches; ++i) {
        const int cpu = int(dice.below(4));
        const int next = 100 + cpu + 4 * int(dice.below(10));
        const int former = std::exchange(current[std::size_t(cpu)], next);
        const QByteArray from = QByteArray::number(former);
        const QByteArray to = QByteArray::number(next);
        const QByteArray time = QByteArray::number(1000 + i / 100'000) + '.' + QByteArray::number(i % 100'000 * 10).rightJustified(6, '0');
        text += "  worker" + from + '-' + from + " [00" + QByteArray::number(cpu) + "] d..2. " + time + ": sched_switch: prev_comm=worker"
            + from + " prev_pid=" + from + " prev_prio=120 prev_state=" + (dice.below(3) ? 'S' : 'R') + " ==> next_comm=worker" + to
            + " next_pid=" + to + " next_prio=120\n";
    }
    return writeFile(path, text);
}

} // namespace helio::test
