#pragma once

#include "widgets/async/latest_task.h"
#include "widgets/compare/compare_context.h"

#include <QObject>

#include <optional>

namespace helio {

/// Aligns the sides of a comparison at a pair of times that the chosen rule selects, and updates the alignment while traces are read.
/// Threads: UI thread.
class AlignmentControl : public QObject {
    Q_OBJECT

public:
    enum class By { Subject, Start, Function, Bookmarks, Hand };
    Q_ENUM(By)

    /// Creates a control that aligns the time axes of sides A and B of `context`.
    /// Ownership: the context outlives the object.
    explicit AlignmentControl(CompareContext& context, QObject* parent = nullptr);

    By by() const { return m_by; }
    const QString& function() const { return m_function; } ///< Returns the function to align by if the rule is By::Function.

    /// Aligns by a rule without arguments: the first run of the compared program or thread, or the first event.
    void alignBy(By by);
    /// Aligns by the first sample on each side that has the function in its call stack. A background thread searches the samples.
    void alignByFunction(const QString& function);
    /// Aligns by bookmarks with the same name, else by the first bookmark of each side.
    void alignByBookmarks();
    /// Aligns the sides at the given times. The user chose these times by dragging a side, or they come from a comparison that is being
    /// opened.
    void alignByHand(const Alignment& alignment);

    /// Sets the times at which the compared program or thread first runs on each side; nullopt if it does not run on a side.
    void setOfSubject(std::optional<Alignment> alignment);

    /// Returns a description of the aligned time, for example "the first run of solver".
    QString zeroText() const;

signals:
    /// Emitted when the aligned time or its description changed.
    void changed();
    void remark(const QString& text);

private:
    void align();
    void findFunction();
    bool isBySubject() const { return m_by == By::Subject && m_ofSubject.has_value(); }

    CompareContext& m_context;
    By m_by = By::Subject;
    QString m_function;
    QString m_bookmark;
    std::optional<Alignment> m_ofSubject; ///< Times at which the compared program or thread first runs on each side; nullopt until known.
    std::optional<Alignment> m_ofFunction;
    LatestTask m_job;
};

} // namespace helio
