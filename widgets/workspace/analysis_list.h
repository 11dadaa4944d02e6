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

/// An analysis that a person may switch on and off, whoever wrote it.
struct AnalysisEntry {
    QString id;
    QString label; ///< As menus and views call it.
    QString origin; ///< Where it comes from, in a word: "built-in".
    QString path; ///< The file to open in an editor; empty: there is none.
    QString source; ///< That file's text as it was read; empty: there is nothing to read.
    QString attributes; ///< The view of all that it keeps; empty: there is none.
    QString plugin; ///< The shared library that it is of; empty: it is of none.
    enum class Permission : std::uint8_t {
        None, ///< Nobody is asked: it is no plug-in's, or a person named the plug-in's file for this start.
        Given, ///< A person allowed the plug-in, and may forbid it.
        Lacking, ///< It is not loaded, and a person may say that it may be.
    };
    Permission permission = Permission::None;
    bool isOn = false; ///< It runs wherever it applies.
    bool applies = true; ///< To what is open; true where nothing is.
    QString reason; ///< Why it does not, or cannot be used at all, and how to record what it lacks. Empty: it does.

    bool canRun() const { return reason.isEmpty(); }
    bool operator==(const AnalysisEntry&) const = default;
};

/// A fault in an analysis's file.
struct AnalysisProblem {
    QString path;
    int line = 0; ///< From 1; 0: the file as a whole.
    QString text; ///< "FILE:LINE:COLUMN: what is wrong".
    bool isWarning = false; ///< The file is of use all the same.
    bool operator==(const AnalysisProblem&) const = default;
};

/// How a rule of an analysis fared on the traces that are open.
struct RuleFacts {
    int line = 0; ///< In the source, from 1.
    QString element; ///< "transition"
    QString what; ///< "sys_futex -> waiting"
    std::uint64_t events = 0; ///< That it was tried at.
    std::uint64_t fired = 0;
    QStringList missing; ///< Fields that some of those events did not have.
};

/// What came of running an analysis over the traces once more.
struct AnalysisTrial {
    static constexpr std::size_t MostTimes = 100'000;

    std::vector<RuleFacts> rules; ///< In the order of the source.
    std::vector<Timestamp> times; ///< When the rule that was asked for fired, in order: the first of each trace, MostTimes at most.
    QStringList problems; ///< That it met.
};

/// The analyses that a window knows, for the views that speak of them. The window fills it. One for each context, which owns it. UI thread,
/// but for what says otherwise.
class AnalysisList : public QObject {
    Q_OBJECT

public:
    static AnalysisList& of(ViewContext& context);

    const std::vector<AnalysisEntry>& entries() const { return m_entries; }
    const AnalysisEntry* find(const QString& id) const; ///< Null: there is none.
    const std::vector<AnalysisProblem>& problems() const { return m_problems; }
    void set(std::vector<AnalysisEntry> entries, std::vector<AnalysisProblem> problems);

    /// Another number whenever what is open, or what runs on it, is another: what was found out of it before is old.
    std::uint64_t opened() const { return m_opened; }
    void nextOpened()
    {
        ++m_opened;
        emit openedChanged();
    }

    /// Runs an analysis over the traces of a timeline and counts; of that rule also when it fired. Any thread. Null: it is not one that
    /// can be looked into.
    using Try = std::function<std::shared_ptr<const AnalysisTrial>(const Timeline& timeline, const std::string& id,
                                                                   std::optional<std::size_t> rule, std::stop_token stop)>;
    const Try& trial() const { return m_try; }
    void setTrial(Try tries) { m_try = std::move(tries); }

    /// What the views ask of the window.
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
    void askingRequested(const QString& plugin); ///< The person is to be asked whether it may be loaded.

private:
    using QObject::QObject;

    std::vector<AnalysisEntry> m_entries;
    std::vector<AnalysisProblem> m_problems;
    Try m_try;
    std::uint64_t m_opened = 1;
};

} // namespace helio
