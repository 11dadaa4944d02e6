#pragma once

#include "core/waits/path/path.h"
#include "widgets/async/latest_job.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace helio {

class ViewContext;

/// A question whose thread is named as files and other timelines know it.
struct NamedPath {
    int trace = -1;
    std::string view;
    std::string id; ///< Of its row.
    TimeRange range{};
    bool operator==(const NamedPath&) const = default;
};

/// Paths that are looked at together, and what they are called.
struct PathSet {
    QString name; ///< "the slowest 12 of 1,204 requests"
    std::vector<PathQuestion> paths;
};

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

    /// The question, or the one that waits for its thread. Nothing: there is none. Cost: of a look at a row.
    std::optional<NamedPath> named() const;
    /// Asks once the thread is there: it may come with a later timeline.
    void setNamed(std::optional<NamedPath> named);

    /// What these paths waited for, all together, is to be seen; until another question is asked.
    void showTogether(PathSet set);
    /// They were on the axis as it was.
    void forgetTogether();
    /// Null: nobody asked for that.
    const std::shared_ptr<const PathSet>& together() const { return m_together; }
    /// What the second ones wait for more than the first ones is to be seen: who owns the window shows it.
    void compare(const PathSet& a, const PathSet& b) { emit comparisonWanted(a, b); }

signals:
    void changed();
    void togetherChanged();
    void comparisonWanted(const helio::PathSet& a, const helio::PathSet& b);

private:
    explicit PathChoice(ViewContext& context);
    void lookForThread();

    ViewContext& m_context;
    std::optional<PathQuestion> m_question;
    std::shared_ptr<const PathSet> m_together;
    std::optional<NamedPath> m_wanted; ///< Whose thread is not there yet.
    LatestJob m_job;
};

} // namespace helio
