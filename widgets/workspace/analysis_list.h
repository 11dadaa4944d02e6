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

/// An analysis that the user can switch on and off: built in, of an XML file, or of a plug-in.
struct AnalysisEntry {
    QString id;
    QString label; ///< Name in menus and views.
    QString origin; ///< Short origin, e.g. "built-in".
    QString path; ///< File that an editor can open; empty if there is none.
    QString source; ///< Text of the file as it was read; empty if there is none.
    QString attributes; ///< Id of the view with all attributes that the analysis keeps; empty if there is none.
    QString plugin; ///< Path of the plug-in's shared library; empty if the analysis is not of a plug-in.
    enum class Permission : std::uint8_t {
        None, ///< No permission is needed: it is not of a plug-in, or the user named the plug-in's file for this start.
        Given, ///< The user allowed the plug-in and can forbid it.
        Lacking, ///< The plug-in is not loaded; the user can allow it.
    };
    Permission permission = Permission::None;
    bool isOn = false; ///< True if it runs on each trace to which it applies.
    bool applies = true; ///< True if it applies to the open traces, or if none is open.
    QString reason; ///< Why it does not apply or cannot run, and how to record what is missing; empty if it applies.

    bool canRun() const { return reason.isEmpty(); }
    bool operator==(const AnalysisEntry&) const = default;
};

/// A problem in an analysis's file.
struct AnalysisProblem {
    QString path;
    int line = 0; ///< From 1; 0 if the problem concerns the whole file.
    QString text; ///< Text for the user, e.g. "FILE:LINE:COLUMN: what is wrong".
    bool isWarning = false; ///< True if the file can be used nevertheless.
    bool operator==(const AnalysisProblem&) const = default;
};

/// Counts of a rule's evaluation on the open traces.
struct RuleFacts {
    int line = 0; ///< Line in the source, from 1.
    QString element; ///< Name of the XML element, e.g. "transition".
    QString what; ///< Description, e.g. "sys_futex -> waiting".
    std::uint64_t events = 0; ///< Number of events at which the rule was evaluated.
    std::uint64_t fired = 0;
    QStringList missing; ///< Fields that the rule needs and some of these events lack.
};

/// Result of running an analysis over the traces once more.
struct AnalysisTrial {
    static constexpr std::size_t MostTimes = 100'000;

    std::vector<RuleFacts> rules; ///< In the order of the source.
    std::vector<Timestamp> times; ///< Times at which the requested rule fired, in order: the first ones of each trace, at most MostTimes.
    QStringList problems; ///< Problems found while running.
};

/// The analyses that a window knows, for its views. The window fills the list. Ownership: one for each context, which owns it. Threads: UI
/// thread, unless stated otherwise.
class AnalysisList : public QObject {
    Q_OBJECT

public:
    static AnalysisList& of(ViewContext& context);

    const std::vector<AnalysisEntry>& entries() const { return m_entries; }
    const AnalysisEntry* find(const QString& id) const; ///< nullptr if there is none.
    const std::vector<AnalysisProblem>& problems() const { return m_problems; }
    void set(std::vector<AnalysisEntry> entries, std::vector<AnalysisProblem> problems);

    /// Number that changes with each change of the open traces or of the analyses that run on them: results computed under another number
    /// are outdated.
    std::uint64_t opened() const { return m_opened; }
    void nextOpened()
    {
        ++m_opened;
        emit openedChanged();
    }

    /// Runs an analysis over the traces of a timeline and counts the firing of its rules; for `rule` also the times. Returns nullptr if the
    /// analysis cannot be inspected. Threads: any.
    using Try = std::function<std::shared_ptr<const AnalysisTrial>(const Timeline& timeline, const std::string& id,
                                                                   std::optional<std::size_t> rule, std::stop_token stop)>;
    const Try& trial() const { return m_try; }
    void setTrial(Try tries) { m_try = std::move(tries); }

    /// Requests of the views to the window.
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
    void askingRequested(const QString& plugin); ///< The window should ask the user whether the plug-in may be loaded.

private:
    using QObject::QObject;

    std::vector<AnalysisEntry> m_entries;
    std::vector<AnalysisProblem> m_problems;
    Try m_try;
    std::uint64_t m_opened = 1;
};

} // namespace helio
