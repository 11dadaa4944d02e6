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

/// A question for a critical path that names its thread so that session files and other timelines can find it.
struct NamedPath {
    int trace = -1;
    std::string view;
    std::string id; ///< Id of the thread's row.
    TimeRange range{};
    bool operator==(const NamedPath&) const = default;
};

/// Critical paths that are shown together, and their common name.
struct PathSet {
    QString name; ///< E.g. "the slowest 12 of 1,204 requests".
    std::vector<PathRequest> paths;
};

/// The thread and range of the critical path that is shown. Ownership: one for each context, which owns it. Threads: UI thread.
class PathChoice : public QObject {
    Q_OBJECT

public:
    static PathChoice& of(ViewContext& context);

    /// nullopt if no critical path is shown.
    const std::optional<PathRequest>& question() const { return m_question; }
    void setQuestion(std::optional<PathRequest> question);
    /// Asks for the critical path of the thread to which the row belongs, in the selection or else in the thread's life. Tells the user if
    /// it has none.
    void follow(TrackRef row);

    /// The question, or the one that waits for its thread to be read; nullopt if there is none. Cost: looks up one row.
    std::optional<NamedPath> named() const;
    /// Asks once the thread is known; a later timeline may bring it.
    void setNamed(std::optional<NamedPath> named);

    /// Shows what the requests of these paths waited for, in sum, until another question is asked.
    void showTogether(PathSet set);
    /// To be called when the paths became invalid because the axis changed.
    void forgetTogether();
    /// nullptr if no set of paths is shown.
    const std::shared_ptr<const PathSet>& together() const { return m_together; }
    /// Asks the window to show what the requests of `b` waited for more than those of `a`.
    void compare(const PathSet& a, const PathSet& b) { emit comparisonWanted(a, b); }

signals:
    void changed();
    void togetherChanged();
    void comparisonWanted(const helio::PathSet& a, const helio::PathSet& b);

private:
    explicit PathChoice(ViewContext& context);
    void lookForThread();

    ViewContext& m_context;
    std::optional<PathRequest> m_question;
    std::shared_ptr<const PathSet> m_together;
    std::optional<NamedPath> m_wanted; ///< Question that waits for its thread to be read.
    LatestTask m_job;
};

} // namespace helio
