#pragma once

#include "core/waits/path/path.h"
#include "widgets/async/latest_task.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace helio {

class ViewContext;

/// A question for a critical path that names its thread so that session files and other timelines can find it.
struct NamedPathRequest {
    int trace = -1;
    std::string view;
    std::string id; ///< Id of the thread's row.
    TimeRange range{};
    bool operator==(const NamedPathRequest&) const = default;
};

/// Critical paths that are shown together, and their common name.
struct PathGroup {
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
    std::optional<NamedPathRequest> named() const;
    /// Asks once the thread is known; a later timeline may bring it.
    void setNamed(std::optional<NamedPathRequest> named);

    /// Shows what the requests of these paths waited for, in sum, until another question is asked.
    void showTogether(PathGroup set);
    /// To be called when the paths became invalid because the axis changed.
    void forgetTogether();
    /// nullptr if no set of paths is shown.
    const std::shared_ptr<const PathGroup>& together() const { return m_together; }
    /// Asks the window to show what the requests of `b` waited for more than those of `a`.
    void compare(const PathGroup& a, const PathGroup& b) { emit comparisonWanted(a, b); }

signals:
    void changed();
    void togetherChanged();
    void comparisonWanted(const helio::PathGroup& a, const helio::PathGroup& b);

private:
    explicit PathChoice(ViewContext& context);
    void lookForThread();

    ViewContext& m_context;
    std::optional<PathRequest> m_question;
    std::shared_ptr<const PathGroup> m_together;
    std::optional<NamedPathRequest> m_wanted; ///< Question that waits for its thread to be read.
    LatestTask m_job;
};

} // namespace helio
