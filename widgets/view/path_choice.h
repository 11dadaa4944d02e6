#pragma once

#include "core/query/path/path.h"

#include <QObject>

#include <optional>

namespace helio {

class ViewContext;

/// Which thread's critical path is shown beside its trace, and in which range. One for each context, which owns it. UI thread.
class PathChoice : public QObject {
    Q_OBJECT

public:
    static PathChoice& of(ViewContext& context);

    /// Nothing: none is shown.
    const std::optional<PathQuestion>& question() const { return m_question; }
    void setQuestion(std::optional<PathQuestion> question);
    /// Of the thread that a row is of, in the selected range, else in its life; says why where there is none.
    void follow(TrackRef row);

signals:
    void changed();

private:
    explicit PathChoice(ViewContext& context);

    ViewContext& m_context;
    std::optional<PathQuestion> m_question;
};

} // namespace helio
