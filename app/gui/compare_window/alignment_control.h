#pragma once

#include "widgets/async/latest_task.h"
#include "widgets/compare/compare_context.h"

#include <QObject>

#include <optional>

namespace helio {

/// Aligns two moments of the two sides by a chosen rule, and updates the link's alignment while the sides grow. Threads: UI thread.
class AlignmentControl : public QObject {
    Q_OBJECT

public:
    enum class By { Subject, Start, Function, Bookmarks, Hand };
    Q_ENUM(By)

    /// Ownership: the context outlives the object.
    explicit AlignmentControl(CompareContext& context, QObject* parent = nullptr);

    By by() const { return m_by; }
    const QString& function() const { return m_function; } ///< Function of By::Function.

    /// Aligns by the first run of the compared subject, or by the first event.
    void alignBy(By by);
    /// Aligns by the first sample on each side with the function in its call stack, which is searched in a background thread.
    void alignByFunction(const QString& function);
    /// Aligns by bookmarks with the same name, else by the first bookmark of each side.
    void alignByBookmarks();
    /// Uses the given alignment, which the user dragged or a session contains.
    void alignByHand(const Alignment& alignment);

    /// Sets the times at which the compared subject first runs on each side; nullopt if it does not run.
    void setOfSubject(std::optional<Alignment> alignment);

    /// Describes the aligned moment, for example "the first run of solver".
    QString zeroText() const;

signals:
    /// The aligned moment or its description changed.
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
    std::optional<Alignment> m_ofSubject; ///< nullopt until it is known.
    std::optional<Alignment> m_ofFunction;
    LatestTask m_job;
};

} // namespace helio
