#pragma once

#include "core/base/time.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace helio {

struct Timeline;
class ViewContext;

/// Analysis that the user can switch on and off: built in, from an XML file, or from a plug-in.
struct AnalysisEntry {
    QString id;
    QString label; ///< Name in menus and views.
    QString origin; ///< Origin of the analysis, e.g. "built-in".
    QString path; ///< Path of a file that an editor can open; empty if there is none.
    QString source; ///< Text of the file as it was read; empty if there is none.
    QString attributes; ///< Id of the view that shows all attributes of the analysis; empty if there is none.
    QString plugin; ///< Path of the plug-in's shared library; empty if the analysis is not from a plug-in.
    enum class Permission : std::uint8_t {
        None, ///< No permission is needed: the analysis is not from a plug-in, or the user named the plug-in's file on the command line.
        Given, ///< The user allowed the plug-in, and can forbid it.
        Lacking, ///< The plug-in is not loaded, because the user has not allowed it yet.
    };
    Permission permission = Permission::None;
    bool isOn = false; ///< True if the analysis runs on each trace that it applies to.
    bool applies = true; ///< True if the analysis applies to the open traces, or if no trace is open.
    QString reason; ///< Reason why the analysis does not apply or cannot run, and how to record what is missing; empty if it applies.

    bool canRun() const { return reason.isEmpty(); }
    bool operator==(const AnalysisEntry&) const = default;
};

/// Problem in the file of an analysis.
struct AnalysisProblem {
    QString path;
    int line = 0; ///< Line number from 1; 0 if the problem concerns the whole file.
    QString text; ///< Message for the user, e.g. "FILE:LINE:COLUMN: what is wrong".
    bool isWarning = false; ///< True if the file can be used in spite of the problem.
    bool operator==(const AnalysisProblem&) const = default;
};

/// Statistics of a rule's evaluation on the open traces.
struct RuleFacts {
    int line = 0; ///< Line of the rule in the source, from 1.
    QString element; ///< Name of the XML element, e.g. "transition".
    QString what; ///< Description of the rule, e.g. "sys_futex -> waiting".
    std::uint64_t events = 0; ///< Number of events at which the rule was evaluated.
    std::uint64_t fired = 0;
    QStringList missing; ///< Names of fields that the rule needs and that some of its events do not have.
};

/// Result of a run of an analysis over the traces. The run is only made to inspect the analysis: it counts how often the rules fire.
struct AnalysisTrial {
    static constexpr std::size_t MostTimes = 100'000;

    std::vector<RuleFacts> rules; ///< Rules in the order of the source.
    /// Times at which the requested rule fired, in ascending order: the first ones of each trace, at most MostTimes.
    std::vector<Timestamp> times;
    QStringList problems; ///< Problems that occurred during the run.
};

/// List of the analyses that the views of a window can show. The window fills it.
/// Ownership: each ViewContext owns one object.
/// Threads: UI thread, unless stated otherwise.
class AnalysisList : public QObject {
    Q_OBJECT

public:
    static AnalysisList& of(ViewContext& context);

    const std::vector<AnalysisEntry>& entries() const { return m_entries; }
    const AnalysisEntry* find(const QString& id) const; ///< Analysis with the id; nullptr if there is none.
    const std::vector<AnalysisProblem>& problems() const { return m_problems; }
    void set(std::vector<AnalysisEntry> entries, std::vector<AnalysisProblem> problems);

    /// Number that increases with each change of the open traces or of the analyses that run on them. A result that was computed under
    /// another number is outdated.
    std::uint64_t opened() const { return m_opened; }
    void nextOpened()
    {
        ++m_opened;
        emit openedChanged();
    }

    /// Function that runs an analysis over the traces of a timeline and counts how often its rules fire. If `rule` is set, the result also
    /// has the times at which this rule fired. Returns nullptr if the analysis cannot be inspected.
    /// Threads: any.
    using Try = std::function<std::shared_ptr<const AnalysisTrial>(const Timeline& timeline, const std::string& id,
                                                                   std::optional<std::size_t> rule, std::stop_token stop)>;
    const Try& trial() const { return m_try; }
    void setTrial(Try tries) { m_try = std::move(tries); }

    /// Requests by the views. Each function emits a signal that the window handles.
    void inspect(const QString& id) { emit inspectionRequested(id); }
    void edit(const QString& path, int line) { emit editorRequested(path, line); }
    void switchOn(const QString& id, bool isOn) { emit switchRequested(id, isOn); }
    void makeNew() { emit newRequested(); }
    void forbid(const QString& plugin) { emit forbidRequested(plugin); }
    void askToAllow(const QString& plugin) { emit askingRequested(plugin); }

signals:
    void changed();
    void openedChanged();
    void inspectionRequested(const QString& id);
    void editorRequested(const QString& path, int line);
    void switchRequested(const QString& id, bool isOn);
    void newRequested();
    void forbidRequested(const QString& plugin);
    void askingRequested(const QString& plugin); ///< Requests that the window asks the user whether the plug-in may be loaded.

private:
    using QObject::QObject;

    std::vector<AnalysisEntry> m_entries;
    std::vector<AnalysisProblem> m_problems;
    Try m_try;
    std::uint64_t m_opened = 1;
};

} // namespace helio
