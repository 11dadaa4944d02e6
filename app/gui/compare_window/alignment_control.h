#pragma once

#include "widgets/async/latest_job.h"
#include "widgets/compare/compare_context.h"

#include <QObject>

#include <optional>

namespace helio {

/// Which moments of the two sides are the same, and by what: keeps the link's alignment so while the sides grow. UI thread.
class AlignmentControl : public QObject {
    Q_OBJECT

public:
    enum class By { Subject, Start, Function, Bookmarks, Hand };
    Q_ENUM(By)

    /// The context outlives it.
    explicit AlignmentControl(CompareContext& context, QObject* parent = nullptr);

    By by() const { return m_by; }
    const QString& function() const { return m_function; } ///< Of By::Function.

    /// By the first run of what is compared, or by the first event.
    void alignBy(By by);
    /// By the first sample on each side whose call stack holds the function; looked for off the UI thread.
    void alignByFunction(const QString& function);
    /// By bookmarks of one name, else by the first bookmark of each side.
    void alignByBookmarks();
    /// By what is given; the person dragged it there, or it comes from a session.
    void alignByHand(const Alignment& alignment);

    /// Where what is compared first runs on each side; nothing where it does not.
    void setOfSubject(std::optional<Alignment> alignment);

    /// "the first run of solver".
    QString zeroText() const;

signals:
    /// The zero, or what it is called.
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
    std::optional<Alignment> m_ofSubject; ///< Once that is known.
    std::optional<Alignment> m_ofFunction;
    LatestJob m_job;
};

} // namespace helio
