#pragma once

#include "core/query/rows/rows.h"
#include "core/waits/path/path.h"

#include <QString>
#include <QStringList>

namespace helio {

class TimeWindow;

/// Arguments of a command line that prints what a view shows, without the program and its traces.
struct ShownCommand {
    /// Command and options, e.g. "stats", "--view", "cpus"; only options if the command opens a window. Empty if no command prints the
    /// content.
    QStringList words;
    QString whyNot; ///< Reason why no command prints the content, for the user; empty if there is a command.
    QString file; ///< Input file of the command; empty if the command reads the traces.
    QString traceOption{}; ///< Option before each trace, e.g. "--trace"; empty if the traces follow the command.

    static ShownCommand none(const QString& whyNot) { return {{}, whyNot, {}, {}}; }
};

/// Interface of views and panels whose content a command can print.
class CommandProvider {
public:
    virtual ~CommandProvider() = default;

    /// Returns the command that prints the current content of the view, with options for the shown time range, row and cursor.
    /// Threads: UI thread.
    virtual ShownCommand shownCommand() const = 0;
};

/// Returns an option followed by its value; empty if the value is empty.
QStringList optionWords(const char* name, const QString& value);

/// Returns a pattern for --row that matches only this text.
QString rowPattern(const std::string& text);

/// Returns the options for a time range: "--begin 12 --end 34". An end that is not inside the experiment has no option.
QStringList rangeOptions(const TimeWindow& time, TimeRange range);

/// Returns the option for a host: "--host web-3"; empty if the experiment has one host.
QStringList hostOptions(const Timeline& timeline, std::uint32_t host);

/// Returns the options that select one thread: "--thread 12", or "--row" with the row's id if the TID is unknown or another thread of the
/// host has the same TID. Includes "--host" if the experiment has several hosts.
/// Cost: that of one rows() call for the view of threads.
QStringList threadOptions(const Timeline& timeline, const Row& thread);

/// Returns the command "critical-path" for a thread and its range, followed by `options`.
ShownCommand pathCommand(const Timeline& timeline, const TimeWindow& time, const PathRequest& path, const QStringList& options);

} // namespace helio
